"""The words of made webs: those of the pages about each theme, and those of every page.

Changing any of them changes every made web, and with it the figures that tests pin: `tests/conformance/floors.json`
(`make floors` pins them again) and the digests in `tests/web/test_made.py`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Theme(NamedTuple):
    """A subject with its vocabulary."""

    name: str
    keywords: tuple[str, ...]
    things: tuple[str, ...]
    traits: tuple[str, ...]
    family: tuple[str, ...] = ()
    """Words that the theme shares with related themes, which makes them easy to confuse."""


def _clean(words: str) -> tuple[str, ...]:
    return tuple(" ".join(word.split()) for word in words.split(","))


# One paragraph per family: its shared words, then its themes as «keywords | things | traits». Neighbours are related.
_TOPICS = """
workshop, factory, engineer, machinery, stainless steel, spare part, tolerance, maintenance contract
centrifugal pump | impeller, shaft seal, suction line, discharge head, slurry, booster set, flow rate, pump curve,
  diaphragm, bearing housing, sump, check valve, cavitation, wet well | submersible, multistage, self-priming,
  corrosive
ball bearing | raceway, cage, roller, lubricant, inner ring, preload, spindle, fatigue life, clearance, grease
  fitting, thrust washer, housing unit, axial load, vibration test | tapered, angular, sealed, high-speed
machine tool | lathe, milling centre, chuck, turret, cutting insert, coolant, tool holder, control unit, workpiece,
  grinding wheel, feed rate, carbide drill, fixture, swarf | five-axis, numerical, precision, automatic
industrial robot | gripper, welding cell, servo drive, payload, reach envelope, teach pendant, conveyor, vision
  system, safety fence, joint torque, palletiser, end effector, assembly line, path planning | collaborative,
  articulated, mobile
plastic injection moulding | mould cavity, resin, clamping force, hot runner, ejector pin, granulate, sprue, shot
  size, barrel, screw speed, cycle time, polypropylene, shrinkage, colour masterbatch | thermoplastic, two-shot,
  thin-wall

recipe, harvest, taste, kitchen, organic farm, flavour, food safety, wholesale market
craft beer brewery | hops, malt, wort, fermenter, yeast strain, mash tun, pale ale, stout, keg, taproom, bottling
  line, bitterness, lager, cask | unfiltered, barrel-aged, seasonal, hoppy
artisan cheese | curd, rennet, rind, affinage, raw milk, goat, cheddar, brine, whey, ripening cave, mould culture,
  creamery, blue vein, wheel | washed-rind, pasteurised, crumbly, matured
olive oil | grove, oil mill, acidity, polyphenol, cold press, tasting panel, pomace, cultivar, pruning, amphora,
  filtration, bottle, drupe, table olive | extra-virgin, unfiltered, early-harvest, peppery
specialty coffee | roastery, espresso, grinder, barista, arabica, cupping, green bean, washed process, crema, brew
  ratio, moka pot, milk foam, single origin, drum roaster | shade-grown, dark-roast, fragrant, decaffeinated
bakery and bread | sourdough, flour, proofing, deck oven, crumb, starter, rye, baguette, kneading, levain, crust,
  pastry, gluten, mixer | wholegrain, slow-fermented, stone-baked, seeded

patient, clinic, therapy, diagnosis, physician, clinical trial, side effect, prescription
biotechnology genomics | sequencer, gene expression, antibody, cell line, plasmid, protein folding, assay, vector,
  mutation, stem cell, biomarker, microarray, enzyme, drug target | recombinant, monoclonal, genetic, transgenic
dental implant | crown, abutment, titanium screw, jawbone, gum, prosthesis, bridge, bone graft, dentist, bite,
  impression tray, molar, veneer, oral surgery | ceramic, endosseous, removable, painless
hearing aid | audiologist, ear mould, tinnitus, telecoil, microphone, decibel, earwax, cochlea, amplifier, audiogram,
  feedback, battery door, speech test, hearing loss | digital, behind-the-ear, rechargeable, directional
physiotherapy | posture, joint mobility, muscle, rehabilitation, back pain, massage, exercise plan, ligament, knee,
  ultrasound, stretching, balance board, taping, injury | manual, post-operative, sports, paediatric
diabetes care | insulin, glucose meter, test strip, pancreas, carbohydrate, injection pen, foot care, glycaemia,
  lancet, retinopathy, blood sugar, hormone, neuropathy, infusion set | type-two, gestational, chronic, fasting

client, interest rate, regulation, market share, quarterly report, contract, adviser, audit
life insurance | premium, policyholder, beneficiary, actuary, annuity, underwriting, claim, mortality table, rider,
  surrender value, broker, endowment, coverage, sum assured | whole-of-life, joint, term, guaranteed
venture capital | start-up, founder, seed round, term sheet, equity stake, exit, limited partner, due diligence,
  valuation, portfolio company, cap table, accelerator, pitch, dilution | early-stage, pre-revenue, lead, follow-on
mortgage lending | borrower, down payment, refinancing, escrow, appraisal, amortisation, foreclosure, title search,
  principal, loan officer, closing cost, credit score, home buyer, lien | adjustable, fixed-rate, subprime, reverse
tax consulting | deduction, return, filing deadline, withholding, transfer pricing, allowance, capital gain,
  accountant, ledger, exemption, duty, fiscal year, invoice, double taxation | corporate, deferred, cross-border,
  taxable
stock trading | share price, order book, dividend, futures, hedge, portfolio, candlestick, margin call, index fund,
  volatility, brokerage account, short sale, limit order, ticker | intraday, algorithmic, bullish, speculative

travel, guide, holiday, booking, landscape, visitor, season ticket, guesthouse
mountain bike | suspension fork, singletrack, derailleur, disc brake, handlebar, trail, saddle, hub, downhill, frame,
  cassette, helmet, tyre pressure, bike park | full-suspension, hardtail, carbon, electric
scuba diving | regulator, wetsuit, reef, buoyancy, dive log, decompression, mask, fins, air tank, wreck, snorkel, dive
  master, visibility, nitrox | tropical, deep, certified, underwater
alpine skiing | slope, chairlift, binding, powder, ski boot, avalanche, lift pass, piste, carving, snow cannon, wax,
  mogul, chalet, gondola | off-piste, freestyle, groomed, telemark
sailing yacht | mainsail, keel, rudder, marina, regatta, mast, halyard, spinnaker, berth, skipper, rigging, hull,
  anchorage, winch | bareboat, offshore, classic, catamaran
hiking trails | backpack, summit, trail map, boots, campsite, ridge, refuge, switchback, compass, waterfall, rucksack,
  contour line, valley, cairn | long-distance, marked, waterproof, alpine

software, network, server, database, user interface, developer, release, open standard
speech recognition | phoneme, acoustic model, language model, dictation, speaker, transcript, microphone array,
  corpus, word error rate, wake word, decoder, spectrogram, utterance, hidden markov | continuous, neural, far-field,
  multilingual
web search engine | crawler, inverted index, query, ranking, snippet, hyperlink, relevance, page rank, spider,
  frontier, anchor text, precision, recall, stemming | topical, full-text, distributed, semantic
computer graphics | shader, texture, polygon, ray tracing, frame buffer, rendering, mesh, vertex, lighting, animation,
  pixel, raster, scene graph, viewport | real-time, photorealistic, volumetric, parallel
network security | firewall, intrusion, malware, encryption, certificate, vulnerability, patch, phishing, password,
  penetration test, packet filter, botnet, key exchange, exploit | zero-day, stateful, remote, hardened
embedded systems | microcontroller, firmware, interrupt, sensor node, bootloader, debugger, flash memory, real-time
  kernel, circuit board, watchdog, register, bus, low-power mode, toolchain | bare-metal, wireless, deterministic,
  field-proven

electricity, efficiency, emission, installer, grid, kilowatt, subsidy, heat loss
solar panel | photovoltaic cell, inverter, wafer, rooftop, irradiance, mounting rail, silicon, feed-in tariff, module,
  junction box, tilt angle, string, shading, charge controller | monocrystalline, thin-film, bifacial, off-grid
wind turbine | rotor blade, nacelle, gearbox, tower, wind farm, hub height, pitch control, yaw, gust, foundation,
  generator, wake loss, anemometer, cut-in speed | onshore, floating, direct-drive, variable-speed
heat pump | evaporator, refrigerant, compressor, ground loop, radiator, borehole, hot water tank, defrost, brine,
  underfloor heating, coefficient, thermostat, expansion valve, buffer | air-source, geothermal, reversible, quiet
fuel cell hydrogen | membrane, electrolyser, stack, catalyst, platinum, storage tank, proton, anode, cathode,
  electrolyte, filling station, reformer, hydrogen bus, pressure vessel | solid-oxide, green, portable, stationary
battery storage | lithium, electrode, state of charge, cell pack, cathode material, charger, thermal runaway, cycle
  life, separator, accumulator, peak shaving, battery management, capacity fade, anode | solid-state, rechargeable,
  grid-scale

freight, logistics, fleet, warehouse, customs, timetable, operator, safety inspection
electric car | charging point, range, motor, dealer, drivetrain, regenerative braking, plug, test drive, model year,
  battery pack, kerb weight, dashboard, lease, wallbox | plug-in, hybrid, zero-emission, compact
container shipping | port, vessel, terminal, crane, bill of lading, carrier, reefer, berth, stowage, hull insurance,
  forwarder, deck, transhipment, demurrage | ocean-going, forty-foot, refrigerated, bonded
high speed railway | locomotive, track, signalling, tunnel, pantograph, carriage, sleeper, catenary, bogie, switch,
  platform, rolling stock, viaduct, axle | tilting, standard-gauge, magnetic, intercity
general aviation | cockpit, runway, propeller, pilot licence, altimeter, glider, flight school, airframe, landing
  gear, wing, airspeed, hangar, avionics, checklist | light, single-engine, aerobatic, ultralight
bicycle courier | cargo bike, parcel, rider, dispatch, route, messenger bag, delivery slot, pannier, depot, last mile,
  pickup, rain jacket, city centre, trailer | same-day, urban, carbon-neutral, express
"""

_PASTIMES = """
football | goal, striker, league table, referee, penalty, stadium, transfer, coach, derby, midfield | late, unbeaten
weather | forecast, shower, cold front, temperature, sunshine, fog, storm warning, humidity | mild, overcast
politics | parliament, minister, election, coalition, budget debate, vote, opposition, committee | controversial, public
cinema | director, actor, premiere, screenplay, box office, sequel, festival, trailer | gripping, award-winning
pop music | album, singer, chart, concert, guitar, single, studio, tour date | catchy, acoustic
celebrity news | wedding, paparazzi, interview, red carpet, rumour, divorce, magazine cover | famous, glamorous
real estate | flat, landlord, square metre, tenant, viewing, garden, rent, neighbourhood | furnished, spacious
fashion shop | dress, handbag, sneaker, discount, collection, leather, size chart, voucher | trendy, exclusive
garden | lawn, rose, compost, hedge, watering can, greenhouse, seedling, pruning shears | blooming, shady
school | pupil, teacher, homework, exam, classroom, curriculum, term, library | primary, bilingual
"""

GENERAL = _clean("""
    time, year, people, way, day, thing, world, question, part, place, case, week, example, company, system,
    programme, result, change, morning, reason, research, moment, history, information, business, office, group,
    problem, story, fact, month, lot, study, book, job, word, issue, side, kind, head, house, service, friend,
    father, hour, game, line, member, law, car, city, community, name, team, minute, idea, body, level, door, art,
    war, party, effort, detail, project, plan, choice, answer, letter, newcomer, customer, supplier, region,
    standard, list, page, visit, offer, small town, long tradition, new building, local paper, first impression,
    good advice, open day, annual meeting, big difference, second opinion, short notice, fair price, quiet corner,
    common sense, daily work, high quality
""")

# Sentences about a theme; %s takes a thing of that theme.
ABOUT = (
    "The %s and the %s have to match, otherwise the %s suffers.",
    "Our team has more than twenty years of experience with %s and %s.",
    "Every %s is checked by hand before the %s leaves the house.",
    "Customers ask about the %s first, and about the %s much later.",
    "A good %s depends on the right %s as much as on the %s.",
    "In this article we compare %s with %s and say when a %s is worth the money.",
    "What to look for in a %s: the %s, the %s, and somebody who knows both.",
    "New this season: a %s with an improved %s, available with or without %s.",
    "The history of the %s began long before the first %s was sold.",
    "Most problems with the %s come from a worn %s or from a wrong %s.",
    "Without a proper %s there is little hope for the %s.",
    "Experts do not agree whether the %s or the %s matters more.",
    "The market for %s grew again, while %s stayed where it was.",
    "Read the notes on %s before you order a %s.",
    "We supply %s, %s and %s to customers in thirty countries.",
    "A short introduction to %s for people who already know %s.",
    "Ask for our catalogue of %s; it also covers %s and %s.",
    "The cheaper %s often turns out to be the dearer %s.",
    "Last year the prize went to a %s that does without any %s.",
    "There is a glossary that explains %s, %s and other terms.",
)

# Sentences that could be on any page; %s takes a general word.
ANYWHERE = (
    "It was a question of %s rather than of %s.",
    "Many people say that the %s was better before the %s.",
    "For more about the %s please write to us or call during office hours.",
    "There is always another %s, and with it another %s.",
    "The %s of the %s was discussed at length, without any result so far.",
    "Nobody expected the %s to take more than a %s.",
    "Some of this was written years ago, when the %s was still a %s.",
    "We are grateful for every %s and for each %s that reaches us.",
    "At the end of the %s only the %s counts.",
    "If you have a %s, you already know what the %s means.",
    "This page was last changed after the %s of last month.",
    "A %s like this does not come along every %s.",
    "They met by chance, talked about the %s and forgot the %s.",
    "The next %s will be announced here and in the %s.",
    "Please note that the %s may differ from the %s shown here.",
    "On the other hand the %s has never been the same since the %s.",
    "All of it can be traced back to one %s and a single %s.",
    "You will find the %s next to the %s, as before.",
    "Whoever has seen the %s will remember the %s.",
    "That is the whole %s, told in less than a %s.",
)

NAMES = _clean("""
    acme, apex, arden, aurora, axis, beacon, birch, borealis, bright, cedar, central, cobalt, corona, crown, delta,
    dorian, eagle, eastgate, elm, ember, falcon, fenwick, fjord, gable, gamma, granite, harbour, hartley, helix,
    horizon, ideal, iris, juniper, keystone, kingsley, lakeside, laurel, linden, lumen, magna, maple, meridian,
    monarch, nordic, northgate, oakfield, omega, onyx, orchid, orion, pacific, pinnacle, polaris, prime, quantum,
    quartz, raven, regal, ridge, riverside, rowan, royal, sable, saffron, sierra, silver, solent, spectrum, stellar,
    sterling, summit, swift, talon, tempo, titan, trident, union, vega, velvet, vertex, victoria, walden, westbrook,
    willow, windsor, zenith
""")

# With non-ASCII letters, so that the encoding of a page matters.
PLACES = _clean("Zürich, Málaga, Besançon, Göteborg, København, Saint-Étienne, Logroño, Tromsø, Évora, Köln")


def _theme(line: str, family: tuple[str, ...]) -> Theme:
    name, things, traits = line.split("|")
    keywords = tuple(word for word in name.split() if word != "and")
    return Theme(" ".join(name.split()), keywords, _clean(things), _clean(traits), family)


@cache
def topics() -> tuple[Theme, ...]:
    """The themes a crawl can hunt for; related ones are next to each other."""
    found = []
    for paragraph in _TOPICS.strip().replace("\n  ", " ").split("\n\n"):
        family, *lines = paragraph.split("\n")
        found += [_theme(line, _clean(family)) for line in lines]
    return tuple(found)


@cache
def pastimes() -> tuple[Theme, ...]:
    """The themes of the noise."""
    return tuple(_theme(line, ()) for line in _PASTIMES.strip().split("\n"))
