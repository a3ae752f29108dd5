"""Every notebook as a page without a kernel, on a phone's width."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted(
    (Path(__file__).parents[2] / "notebooks").glob("0*.ipynb"))
PHONE = {"width": 390, "height": 844}


def open_page(context, html, tmp_path):
    """Show a page with nothing from the network."""
    file = tmp_path / "page.html"
    file.write_text(html, "utf-8")
    page = context.new_page()
    page.route("**/*", lambda route: route.continue_() if
               route.request.url.startswith("file:") else route.abort())
    page.goto(file.as_uri(), wait_until="load")
    return page


def complaints(page):
    """What makes the page hard to read on a phone."""
    found = []
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > PHONE["width"] + 1:
        found.append(f"the page is {wide} pixels wide")
    for image in page.locator("img").all():
        if image.bounding_box()["width"] > PHONE["width"]:
            found.append("an image wider than the page")
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_reads_well_on_a_phone(browser, path, tmp_path):
    from nbconvert import HTMLExporter

    html, _ = HTMLExporter().from_filename(str(path))
    context = browser.new_context(viewport=PHONE)
    try:
        assert complaints(open_page(context, html, tmp_path)) == []
    finally:
        context.close()


@pytest.mark.parametrize("content, complaint", [
    ("<div style='width: 900px'>wide</div>", "pixels wide"),
    ("<img src='data:,' width='900' height='9'>", "wider than")])
def test_what_is_hard_to_read_is_noticed(browser, content, complaint,
                                         tmp_path):
    context = browser.new_context(viewport=PHONE)
    html = ("<meta name='viewport' content='width=device-width'>" + content)
    try:
        assert complaint in " ".join(complaints(
            open_page(context, html, tmp_path)))
    finally:
        context.close()
