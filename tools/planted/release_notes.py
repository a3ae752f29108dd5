"""Release notes for CSV exports, with requirements that can be counted.

A task: (name, held out, version, place, limit, word limit, pairs). A pair:
(clean text, old, new, class, severity, difficulty, why). Pairs differ in
wording; the defective draft is the clean one with old -> new.
"""

REQUIREMENTS = (
    "Write a release note for users of {product}: they can now export {what} "
    "as CSV. Use exactly two sentences and at most {words} words. Name the "
    "version, {version}, the place where the export is found, {place}, and "
    "the limit of {limit} rows, each exactly as written here.")

TASKS = [
    ("ledger", False, "Ledger", "monthly reports", "4.2", "Reports > Export",
     "50,000", 40, [
         ("Ledger 4.2 lets you export any monthly report as a CSV file from "
          "Reports > Export. One file holds up to 50,000 rows, with the "
          "column names in the first line.",
          "Ledger 4.2 lets", "Ledger lets", "missing fact", "high", 2,
          "the version is not named"),
         ("Monthly reports can now leave the house: version 4.2 adds CSV "
          "under Reports > Export. Each export is limited to 50,000 rows.",
          "50,000", "5,000", "wrong fact", "high", 2,
          "the limit is ten times too small")]),
    ("roster", False, "Roster", "shift plans", "2.11", "Plans > Download",
     "10,000", 36, [
         ("Since version 2.11 you can download a shift plan as CSV from "
          "Plans > Download. Up to 10,000 rows fit into one file.",
          "Plans > Download", "Plans > Print", "wrong fact", "high", 2,
          "the menu entry is another one"),
         ("Roster 2.11 exports shift plans as CSV, for a spreadsheet or the "
          "payroll system. Choose Plans > Download; a file takes up to "
          "10,000 rows.",
          ". Choose Plans", ", so choose Plans", "sentence count", "low", 3,
          "the note is one sentence")]),
    ("atlas", False, "Atlas", "saved searches", "7.0", "Searches > Share",
     "25,000", 38, [
         ("Saved searches can be exported as CSV in Atlas 7.0. Open "
          "Searches > Share and pick the format; 25,000 rows is the most "
          "that one file holds.",
          "; 25,000 rows is the most that one file holds", "",
          "missing fact", "high", 2, "the limit is not named"),
         ("Atlas 7.0 adds a CSV format to Searches > Share, so that a saved "
          "search can travel to any spreadsheet. A file is cut off after "
          "25,000 rows.",
          "25,000 rows", "2,500 rows", "wrong fact", "high", 3,
          "the limit is ten times too small")]),
    ("kiln", False, "Kiln", "firing logs", "1.8", "Logs > Export",
     "100,000", 34, [
         ("Kiln 1.8 exports firing logs as CSV, temperatures included. You "
          "find it under Logs > Export, for up to 100,000 rows.",
          "1.8", "1.3", "wrong fact", "high", 3,
          "the version is another one"),
         ("From version 1.8 on, Logs > Export offers CSV as a format for "
          "firing logs. The limit is 100,000 rows for one file.",
          "The limit is", "Dates follow ISO 8601. The limit is",
          "sentence count", "medium", 1, "the note has three sentences")]),
    ("granary", False, "Granary", "stock lists", "3.5", "Stock > Save as",
     "20,000", 30, [
         ("Granary 3.5 saves stock lists as CSV under Stock > Save as. A "
          "list may have up to 20,000 rows.",
          "A list may", "A list, with all its columns, its filters and the "
          "order in which you last sorted them, may", "too long", "medium",
          3, "the note has more than 30 words"),
         ("Stock lists can be saved as CSV since 3.5, under Stock > Save as. "
          "Longer lists than 20,000 rows are split by hand.",
          ", under Stock > Save as", "", "missing fact", "medium", 2,
          "the place is not named")]),
    ("tide", False, "Tide", "station readings", "5.3", "Data > Export",
     "75,000", 36, [
         ("Tide 5.3 can export station readings as CSV. Go to Data > Export "
          "and choose a period of at most 75,000 rows.",
          "at most 75,000 rows", "at most 57,000 rows", "wrong fact", "high",
          3, "two digits of the limit are swapped"),
         ("Readings of any station are available as CSV in version 5.3, "
          "through Data > Export. One export returns no more than 75,000 "
          "rows.",
          ", through Data > Export", "", "missing fact", "medium", 2,
          "the place is not named")]),
    ("lantern", False, "Lantern", "visitor counts", "6.1",
     "Statistics > Download", "30,000", 32, [
         ("Visitor counts can be downloaded as CSV in Lantern 6.1. "
          "Statistics > Download has the new format, for up to 30,000 rows.",
          "CSV in Lantern 6.1. Statistics", "CSV in Lantern 6.1, and "
          "Statistics", "sentence count", "low", 3,
          "the note is one sentence"),
         ("Lantern 6.1 brings CSV to Statistics > Download, so counts open "
          "in every spreadsheet. The limit is 30,000 rows.",
          "so counts open in every spreadsheet", "so counts, averages, peaks "
          "and the comparison with the same week of the year before can all "
          "be opened in every spreadsheet", "too long", "medium", 2,
          "the note has more than 32 words")]),
    ("quarry", False, "Quarry", "query results", "9.4", "Results > Export",
     "500,000", 36, [
         ("Quarry 9.4 writes query results to CSV from Results > Export. "
          "Files of up to 500,000 rows are supported.",
          "Quarry 9.4 writes", "Quarry now writes", "missing fact", "high",
          2, "the version is not named"),
         ("Query results of up to 500,000 rows can be exported as CSV. The "
          "command is Results > Export and needs version 9.4.",
          "version 9.4", "an administrator", "missing fact", "high", 2,
          "the version is not named")]),
    ("beacon", True, "Beacon", "incident lists", "8.6", "Incidents > Export",
     "15,000", 34, [
         ("Beacon 8.6 exports incident lists as CSV under Incidents > "
          "Export. A single file holds up to 15,000 rows.",
          "15,000", "50,000", "wrong fact", "high", 2,
          "the limit is another one"),
         ("Incident lists can be exported as CSV from version 8.6 on. Use "
          "Incidents > Export, with a filter if there are more than 15,000 "
          "rows.",
          "Use Incidents > Export, with a filter", "Use a filter",
          "missing fact", "medium", 3, "the place is not named")]),
    ("orchard", True, "Orchard", "harvest records", "2.2",
     "Records > Download", "40,000", 32, [
         ("Orchard 2.2 offers harvest records as CSV under Records > "
          "Download. The file may have up to 40,000 rows.",
          "The file may", "It is UTF-8. The file may", "sentence count",
          "medium", 2, "the note has three sentences"),
         ("Since 2.2 a harvest record can be downloaded as CSV, in Records > "
          "Download. Exports stop at 40,000 rows.",
          "Since 2.2 a", "Since the last update a", "missing fact", "high",
          1, "the version is not named")]),
    ("harbour", True, "Harbour", "arrival tables", "10.1",
     "Tables > Save as", "60,000", 36, [
         ("Harbour 10.1 saves arrival tables as CSV through Tables > Save "
          "as. Up to 60,000 rows are written in one go.",
          "10.1", "1.01", "wrong fact", "high", 3,
          "the version number is misprinted"),
         ("Arrival tables have a CSV format in 10.1, for ports that work "
          "with spreadsheets. Open Tables > Save as; the limit is 60,000 "
          "rows.",
          "for ports that work with spreadsheets", "for all those ports, "
          "agents, pilots and shipping companies that do their daily work "
          "with spreadsheets and not with Harbour itself", "too long", "low",
          2, "the note has more than 36 words")]),
    ("meadow", True, "Meadow", "survey answers", "3.9", "Surveys > Export",
     "80,000", 34, [
         ("Meadow 3.9 exports survey answers as CSV, one row for each "
          "answer. You find the format under Surveys > Export, limited to "
          "80,000 rows.",
          "You find", "It is UTF-8. You find", "sentence count", "medium", 1,
          "the note has three sentences"),
         ("Answers to a survey can be exported as CSV under Surveys > "
          "Export. Version 3.9 writes at most 80,000 rows into a file.",
          "Surveys > Export", "Surveys > Import", "wrong fact", "high", 2,
          "the menu entry is another one")]),
]
