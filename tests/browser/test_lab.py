"""Every notebook in a real JupyterLab: it runs, and its widgets move."""

from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted(
    (Path(__file__).parents[2] / "notebooks").glob("0*.ipynb"))
# Written below the stored picture of every widget.
MARK = "Run this cell in JupyterLab to move it."
# What is run before the kernel listens is lost.
CONNECTED = """async url => (await (await fetch(url)).json()).some(session =>
    session.kernel.execution_state === 'idle'
    && session.kernel.connections > 0)"""
# Every cell has its number, or one has failed and the rest was called off.
FINISHED = """() => {
    const prompts = [...document.querySelectorAll(
        '.jp-CodeCell .jp-InputPrompt')].map(prompt => prompt.textContent);
    const waiting = prompts.some(text => text.includes('*'));
    const failed = document.querySelector(
        '[data-mime-type="application/vnd.jupyter.stderr"]');
    return !waiting && (failed || prompts.every(text => /\\d/.test(text)));
}"""


def stored(path):
    """How many cells raise on purpose, and how many widgets there are."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [o for c in cells for o in c.get("outputs", ())]
    return (sum(o.output_type == "error" for o in outputs),
            sum(MARK in o.get("data", {}).get("text/html", "")
                for o in outputs))


def run_all(page, lab, name):
    """Open a notebook and run every cell, as a person would."""
    page.goto(lab.url(f"lab/tree/notebooks/{name}"),
              wait_until="domcontentloaded")
    page.wait_for_function(CONNECTED, arg=lab.url("api/sessions"),
                           timeout=60_000)
    page.get_by_text("(ipykernel) | Idle").wait_for(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(FINISHED, timeout=120_000)


def drive(browser, lab, path):
    """One visit: run all, look for errors, move every control."""
    raising, widgets = stored(path)
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    try:
        page = context.new_page()
        broken = []
        page.on("pageerror", lambda error: broken.append(str(error)))
        run_all(page, lab, path.name)
        errors = page.locator(
            "[data-mime-type='application/vnd.jupyter.stderr']")
        assert errors.count() == raising, errors.all_inner_texts()
        boxes = page.locator(".jp-OutputArea .widget-vbox")
        assert boxes.count() == widgets
        moved = sum(move(page, boxes.nth(i)) for i in range(widgets))
        assert moved >= widgets, "a widget without a control"
        assert not broken
        return moved
    finally:
        context.close()
        lab.stop_kernels()


def move(page, box):
    """Move each control of a widget by keyboard and read its effect."""
    shown = box.locator(".widget-html-content").last
    handles = box.get_by_role("slider")
    for i in range(handles.count()):
        handle, before = handles.nth(i), shown.inner_html()
        at_end = (handle.get_attribute("aria-valuenow")
                  == handle.get_attribute("aria-valuemax"))
        handle.focus()
        page.keyboard.press("ArrowLeft" if at_end else "ArrowRight")
        changed(page, shown, before)
    texts = box.get_by_role("textbox").and_(box.locator("textarea"))
    for i in range(texts.count()):
        before = shown.inner_html()
        texts.nth(i).focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type("NO_FURTHER_OBJECTIONS")
        changed(page, shown, before)
    return handles.count() + texts.count()


def changed(page, shown, before):
    """Wait until a view is another one; fail after ten seconds."""
    page.wait_for_function("([view, old]) => view.innerHTML !== old",
                           arg=[shown.element_handle(), before],
                           timeout=10_000)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_its_widgets_move(browser, lab, path):
    from playwright.sync_api import Error

    try:
        drive(browser, lab, path)
    except (Error, AssertionError) as error:
        print(f"once more, and only once, after: {error}")
        drive(browser, lab, path)


SCRATCH = '''
from reflectlab.course.widgets import Explorer, _slider
from reflectlab.course.style import View
Explorer(lambda x: View("same", "same"), x=_slider("x", 1, 0, 9, 1))
'''


def test_a_control_without_effect_is_noticed(browser, lab):
    """The driver itself goes red when a slider moves nothing."""
    from playwright.sync_api import Error

    cell = nbformat.v4.new_code_cell(SCRATCH, outputs=[
        nbformat.v4.new_output("display_data", {"text/html": MARK})])
    path = lab.folder / "scratch.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={
        "kernelspec": {"name": "python3", "display_name": "Python 3"}}), path)
    with pytest.raises(Error, match="Timeout"):
        drive(browser, lab, path)


def test_an_error_is_noticed(browser, lab):
    """The driver itself goes red when a cell raises."""
    cell = nbformat.v4.new_code_cell("1 / 0")
    path = lab.folder / "raises.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={
        "kernelspec": {"name": "python3", "display_name": "Python 3"}}), path)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        drive(browser, lab, path)
