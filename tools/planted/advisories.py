"""Security advisories turned into JSON.

The products and identifiers are made up. A task: (name, held out, advisory,
facts, pairs): the facts are what the advisory says, and go into the schema
that proves the labels. A pair: (key order and summary, edit of the JSON text
(old, new), class, severity, difficulty, why).
"""

REQUIREMENTS = (
    "Turn this security advisory into one JSON object and send nothing else:"
    "\n\n{advisory}\n\n"
    "Keys, all required and no others: summary (string, 20 to 200 "
    "characters), severity (\"low\", \"medium\", \"high\" or \"critical\"), "
    "cve_ids (array of all CVE ids named, in order), affected (array of all "
    "affected versions, in order, as strings) and fixed_in (string, or null "
    "when there is no fix). Values must be those of the advisory.")

TASKS = [
    ("tarlib", False,
     "CVE-2031-10417: a crafted archive makes tarlib 2.3.0 and 2.3.1 write "
     "outside the target folder. Rated high. Update to 2.3.2.",
     {"severity": "high", "cve_ids": ["CVE-2031-10417"],
      "affected": ["2.3.0", "2.3.1"], "fixed_in": "2.3.2"}, [
         ("A crafted archive can write files outside the target folder.",
          '"high"', '"severe"', "bad enum", "high", 1,
          "\"severe\" is none of the four severities"),
         ("tarlib follows paths in crafted archives out of the folder it "
          "unpacks to.", "10417", "10147", "wrong fact", "high", 3,
          "two digits of the CVE id are swapped")]),
    ("mailgate", False,
     "Mailgate 5.0, 5.1 and 5.2 log passwords of failed logins in plain "
     "text (CVE-2030-2288, medium severity). Fixed in 5.3.",
     {"severity": "medium", "cve_ids": ["CVE-2030-2288"],
      "affected": ["5.0", "5.1", "5.2"], "fixed_in": "5.3"}, [
         ("Passwords of failed logins end up in the log in plain text.",
          '"5.0", "5.1", "5.2"', '"5.0", "5.2"', "wrong fact", "high", 2,
          "version 5.1 is left out"),
         ("Mailgate writes the password of a failed login into its log.",
          '"medium"', '"Medium"', "bad enum", "low", 3,
          "severities are in lower case")]),
    ("pixform", False,
     "Two flaws in pixform 1.9.4: reading past the end of a palette "
     "(CVE-2032-5001) and a crash on empty frames (CVE-2032-5002). Both are "
     "low. No fix yet.",
     {"severity": "low", "cve_ids": ["CVE-2032-5001", "CVE-2032-5002"],
      "affected": ["1.9.4"], "fixed_in": None}, [
         ("A short palette is read past its end, and empty frames crash the "
          "decoder.", 'null', '""', "wrong type", "medium", 2,
          "no fix is null, not an empty text"),
         ("Two decoder flaws: an over-long read of the palette and a crash "
          "on empty frames.", ', "CVE-2032-5002"', "", "wrong fact", "high",
          2, "the second CVE id is left out")]),
    ("loomdb", False,
     "CVE-2029-31337 (critical): LoomDB 11.0 runs SQL in backup file names. "
     "Upgrade to 11.0.1 at once.",
     {"severity": "critical", "cve_ids": ["CVE-2029-31337"],
      "affected": ["11.0"], "fixed_in": "11.0.1"}, [
         ("LoomDB 11.0 executes SQL that is hidden in the name of a backup "
          "file.", '"affected": ["11.0"]', '"affected": [11.0]',
          "wrong type", "medium", 2, "the version is a number, not a text"),
         ("The name of a backup file can carry SQL that LoomDB then runs.",
          ',\n  "fixed_in"', ',\n  "fix": "11.0.1",\n  "fixed_in"',
          "extra field", "low", 2, "the key \"fix\" is not allowed")]),
    ("gatepost", False,
     "Gatepost 0.8 and 0.9 accept expired session tokens. CVE-2031-777 has "
     "been assigned, with high severity; 0.9.1 rejects them.",
     {"severity": "high", "cve_ids": ["CVE-2031-777"],
      "affected": ["0.8", "0.9"], "fixed_in": "0.9.1"}, [
         ("Session tokens are still accepted after they have expired.",
          '["CVE-2031-777"]', '"CVE-2031-777"', "wrong type", "high", 1,
          "cve_ids is a text, not an array"),
         ("Gatepost does not check whether a session token has expired.",
          '"0.9.1"', '"0.9"', "wrong fact", "high", 3,
          "0.9 is affected, the fix is 0.9.1")]),
    ("inkwell", False,
     "Opening a shared document in Inkwell 3.4 could run its macros without "
     "asking (CVE-2030-60012). Severity: high. Solved in release 3.4.2.",
     {"severity": "high", "cve_ids": ["CVE-2030-60012"],
      "affected": ["3.4"], "fixed_in": "3.4.2"}, [
         ("Macros of a shared document run as soon as it is opened.",
          '  "severity": "high",\n', "", "missing field", "high", 1,
          "severity is missing"),
         ("Inkwell runs macros of shared documents without asking first.",
          '"3.4.2"\n}', '"3.4.2",\n}', "not JSON", "high", 2,
          "a comma follows the last value")]),
    ("relay", False,
     "CVE-2032-808 and CVE-2032-809 let a guest of Relay 6.0 read messages "
     "of other rooms; medium. Install 6.0.5 or later.",
     {"severity": "medium", "cve_ids": ["CVE-2032-808", "CVE-2032-809"],
      "affected": ["6.0"], "fixed_in": "6.0.5"}, [
         ("Guests can read messages of rooms that they were not invited to.",
          '"fixed_in": "6.0.5"', '"fixed_version": "6.0.5"',
          "missing field", "high", 2, "the key is called fixed_in"),
         ("Two flaws show guests of Relay the messages of other rooms.",
          '"medium"', '"high"', "wrong fact", "high", 2,
          "the advisory says medium")]),
    ("cobble", False,
     "A malformed package name sends the resolver of Cobble 1.1 and 1.2 "
     "into an endless loop. CVE-2029-4410, low severity, fixed in 1.2.7.",
     {"severity": "low", "cve_ids": ["CVE-2029-4410"],
      "affected": ["1.1", "1.2"], "fixed_in": "1.2.7"}, [
         ("A malformed package name makes the resolver loop for ever.",
          "A malformed package name makes the resolver loop for ever.",
          "Endless loop.", "too short", "low", 2,
          "the summary has fewer than 20 characters"),
         ("Cobble's resolver never ends on some malformed package names.",
          '{\n', 'Here is the object:\n{\n', "not JSON", "medium", 1,
          "a line of prose comes before the object")]),
    ("spindle", True,
     "CVE-2031-9090: Spindle 2.0 sends its API key to mirrors. Critical. "
     "Version 2.0.1 stops that.",
     {"severity": "critical", "cve_ids": ["CVE-2031-9090"],
      "affected": ["2.0"], "fixed_in": "2.0.1"}, [
         ("Spindle hands its API key to every mirror that it talks to.",
          '"critical"', '"urgent"', "bad enum", "high", 1,
          "\"urgent\" is none of the four severities"),
         ("The API key is sent to mirrors, which have no use for it.",
          "CVE-2031-9090", "CVE-2031-9900", "wrong fact", "high", 3,
          "two digits of the CVE id are swapped")]),
    ("parley", True,
     "Parley 4.4, 4.5 and 4.6 keep deleted messages in the search index "
     "(CVE-2030-1200). Severity low; there is no fix so far.",
     {"severity": "low", "cve_ids": ["CVE-2030-1200"],
      "affected": ["4.4", "4.5", "4.6"], "fixed_in": None}, [
         ("Messages stay in the search index after they were deleted.",
          'null', '"4.7"', "wrong fact", "high", 3,
          "no fix exists: 4.7 is invented"),
         ("Deleted messages can still be found by searching for them.",
          '["4.4", "4.5", "4.6"]', '"4.4 to 4.6"', "wrong type", "medium", 2,
          "affected is a text, not an array")]),
    ("tern", True,
     "A long header overflows a buffer in Tern 7.2 (CVE-2032-66001), rated "
     "critical. Tern 7.2.3 corrects the length check.",
     {"severity": "critical", "cve_ids": ["CVE-2032-66001"],
      "affected": ["7.2"], "fixed_in": "7.2.3"}, [
         ("A header that is too long overflows a buffer in Tern 7.2.",
          '  "affected": ["7.2"],\n', "", "missing field", "high", 2,
          "affected is missing"),
         ("Tern 7.2 does not check the length of a header before copying.",
          '"severity"', "severity", "not JSON", "medium", 1,
          "a key has no quotes")]),
    ("wharf", True,
     "CVE-2029-2020 and CVE-2029-2021: containers started by Wharf 1.5 can "
     "see the host's processes. High. Fixed in 1.6.",
     {"severity": "high", "cve_ids": ["CVE-2029-2020", "CVE-2029-2021"],
      "affected": ["1.5"], "fixed_in": "1.6"}, [
         ("Containers can list the processes of the host they run on.",
          '\n}', ',\n  "note": "reported privately"\n}', "extra field",
          "low", 2, "the key \"note\" is not allowed"),
         ("Wharf does not hide the host's processes from its containers.",
          "Wharf does not hide the host's processes from its containers.",
          "Processes visible.", "too short", "low", 2,
          "the summary has fewer than 20 characters")]),
]
