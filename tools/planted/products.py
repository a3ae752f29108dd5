"""Product descriptions: exact price, a listed feature, a word limit.

A task: (name, held out, product, price, features, word limit, pairs). A
pair: (clean text, old, new, class, severity, difficulty, why).
"""

REQUIREMENTS = (
    "Write a product description of the {product} for an online shop. "
    "Mention its exact price, {price}, and at least one of these features "
    "by name: {features}. Use at most {words} words.")

TASKS = [
    ("desk lamp", False, "Halden desk lamp", "$39.99",
     ["touch dimmer", "USB-C charging port", "folding arm"], 40, [
         ("The Halden desk lamp puts light where the work is. Its folding "
          "arm reaches over a monitor, and a touch dimmer sets the mood for "
          "$39.99.",
          "$39.99", "$39.90", "wrong price", "high", 3,
          "the price is nine cents off"),
         ("Charge a phone while you read: the Halden desk lamp has a USB-C "
          "charging port in its foot. Yours for $39.99.",
          "has a USB-C charging port in its foot",
          "has a wireless charging pad in its foot", "missing feature",
          "high", 2, "no listed feature is named: the pad is invented")]),
    ("kettle", False, "Brisa kettle", "€54.50",
     ["variable temperature", "keep-warm mode", "gooseneck spout"], 35, [
         ("Pour slowly and hit the cup: the Brisa kettle has a gooseneck "
          "spout and a variable temperature from 60 degrees up. It costs "
          "€54.50.",
          "€54.50", "$54.50", "wrong price", "high", 2,
          "the currency is another one"),
         ("Tea at eight, and still hot at nine. The Brisa kettle (€54.50) "
          "holds its heat with a keep-warm mode and shuts off by itself.",
          "with a keep-warm mode and shuts off by itself", "for as long as "
          "you like, shuts off by itself, looks good on any counter and "
          "comes in four colours that go with every kitchen, however small, "
          "with a keep-warm mode", "too long", "medium", 2,
          "the text has more than 35 words")]),
    ("backpack", False, "Ridge 24 backpack", "£68.00",
     ["rain cover", "laptop sleeve", "hip belt"], 38, [
         ("Twenty-four litres, one rain cover, no wet notebooks. The Ridge "
          "24 backpack carries the day's things to work and the weekend's "
          "up a hill for £68.00.",
          " for £68.00", "", "missing price", "high", 1,
          "the price is not named"),
         ("The Ridge 24 backpack sits close thanks to its hip belt, and a "
          "padded laptop sleeve keeps the screen whole. Price: £68.00.",
          "thanks to its hip belt, and a padded laptop sleeve keeps",
          "thanks to its broad straps, and a padded compartment keeps",
          "missing feature", "medium", 3,
          "features are described, and none is one of the listed ones")]),
    ("headphones", False, "Corvo headphones", "$129.00",
     ["noise cancelling", "30-hour battery", "foldable frame"], 40, [
         ("Board, put on the Corvo headphones, and the engines are gone: "
          "noise cancelling does that. The 30-hour battery outlasts the "
          "flight and the way back. $129.00.",
          "$129.00", "$12.90", "wrong price", "high", 3,
          "the decimal point has slipped"),
         ("A foldable frame makes the Corvo headphones small enough for a "
          "coat pocket. They cost $129.00 and come with a case.",
          "$129.00", "$192.00", "wrong price", "high", 2,
          "two digits of the price are swapped")]),
    ("bike light", False, "Glim bike light", "€24.95",
     ["magnetic mount", "brake sensor", "USB-C charging"], 30, [
         ("The Glim bike light holds on with a magnetic mount, so it is off "
          "in a second when you park. €24.95.",
          "magnetic mount", "rubber strap", "missing feature", "high", 2,
          "no listed feature is named: the strap is invented"),
         ("Slow down and the Glim bike light glows brighter: a brake sensor "
          "sees to it. Price: €24.95.",
          "a brake sensor sees to it", "a brake sensor sees to it, so the "
          "cars, vans and buses behind you notice in good time that you are "
          "about to stop or to turn", "too long", "low", 2,
          "the text has more than 30 words")]),
    ("notebook", False, "Linden notebook", "$14.20",
     ["numbered pages", "lay-flat binding", "dot grid"], 32, [
         ("Numbered pages and a table of contents turn the Linden notebook "
          "into something you can find things in. At $14.20 it lasts half a "
          "year.",
          "At $14.20 it lasts", "At about $14 it lasts", "wrong price",
          "medium", 2, "the price is rounded"),
         ("The Linden notebook stays open where you left it, thanks to a "
          "lay-flat binding. Dot grid inside, $14.20 outside.",
          ", $14.20 outside", ", linen outside", "missing price", "high", 2,
          "the price is not named")]),
    ("hammock", False, "Siesta hammock", "£45.75",
     ["mosquito net", "tree straps", "packs to a fist"], 36, [
         ("Two trees and two minutes: the Siesta hammock hangs on tree "
          "straps that leave the bark alone. A mosquito net is sewn in. "
          "£45.75.",
          "hangs on tree straps that leave the bark alone. A mosquito net is "
          "sewn in", "hangs on cords that leave the bark alone. A net is "
          "sewn in", "missing feature", "medium", 3,
          "\"a net\" and \"cords\" are none of the listed features"),
         ("For £45.75 the Siesta hammock packs to a fist and carries two. "
          "The rest of your bag is for books.",
          "£45.75", "£47.55", "wrong price", "high", 3,
          "two digits of the price are swapped")]),
    ("scale", False, "Gram kitchen scale", "$27.30",
     ["timer", "0.1 g steps", "removable bowl"], 34, [
         ("The Gram kitchen scale weighs in 0.1 g steps, which is what "
          "yeast and saffron need. It costs $27.30.",
          "It costs $27.30.", "It is small, it is quiet, it is flat enough "
          "for the drawer with the spoons, it runs on the batteries you "
          "already have at home, and it costs $27.30.", "too long", "medium",
          1, "the text has more than 34 words"),
         ("Coffee by weight and by the clock: the Gram kitchen scale has a "
          "timer beside the digits. Price $27.30, batteries included.",
          "Price $27.30, batteries", "Batteries", "missing price", "high",
          2, "the price is not named")]),
    ("tent", True, "Fjell 2 tent", "€219.00",
     ["two entrances", "colour-coded poles", "taped seams"], 36, [
         ("Nobody climbs over anybody in the Fjell 2 tent: it has two "
          "entrances. Taped seams keep the rain where it belongs. €219.00.",
          "€219.00", "€291.00", "wrong price", "high", 3,
          "two digits of the price are swapped"),
         ("Colour-coded poles put the Fjell 2 tent up in the dark. It "
          "weighs two kilos and costs €219.00.",
          "Colour-coded poles put", "Numbered poles put", "missing feature",
          "high", 2, "no listed feature is named: the numbers are "
          "invented")]),
    ("grinder", True, "Moka hand grinder", "$61.40",
     ["ceramic burrs", "36 settings", "glass jar"], 34, [
         ("From espresso to French press in 36 settings: the Moka hand "
          "grinder goes where no socket is. $61.40.",
          " $61.40.", "", "missing price", "high", 1,
          "the price is not named"),
         ("The Moka hand grinder has ceramic burrs that stay sharp and stay "
          "cool. For $61.40 you get a brush, too.",
          "$61.40", "€61.40", "wrong price", "high", 2,
          "the currency is another one")]),
    ("keyboard", True, "Quill keyboard", "£89.90",
     ["hot-swap switches", "aluminium case", "quiet mode"], 36, [
         ("The Quill keyboard lets you change your mind: hot-swap switches "
          "come out by hand. Its aluminium case will outlive them. £89.90.",
          "hot-swap switches come out by hand. Its aluminium case",
          "the switches come out by hand. Its metal case",
          "missing feature", "medium", 3,
          "features are paraphrased, and none is named"),
         ("Type at night. The Quill keyboard (£89.90) has a quiet mode that "
          "a sleeping cat has tested.",
          "a sleeping cat has tested", "was tested by a sleeping cat, a "
          "light-sleeping baby, two flatmates with early shifts and one "
          "neighbour who is known to the whole house for his letters",
          "too long", "low", 2, "the text has more than 36 words")]),
    ("raincoat", True, "Nimbus raincoat", "$95.60",
     ["sealed zips", "two-way hood", "pit vents"], 34, [
         ("Sealed zips and a two-way hood: the Nimbus raincoat has thought "
          "of the weather. It is $95.60 in all sizes.",
          "$95.60", "$96", "wrong price", "medium", 1,
          "the price is rounded"),
         ("Walk uphill in the rain and stay dry from both sides, as the "
          "Nimbus raincoat has pit vents. $95.60.",
          " $95.60.", " Price on request.", "missing price", "high", 1,
          "the price is not named")]),
]
