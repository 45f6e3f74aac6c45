"""English function words: they carry no topic, so term vectors leave them out.

Contractions are listed as they are after splitting at the apostrophe ("don't" is read as "don" and "t"); words
of one letter need no entry because they are never terms.
"""

_WORDS = """
an the this that these those such same other others another
me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
one ones oneself who whom whose which what whoever whomever whichever whatever
somebody someone something anybody anyone anything nobody none nothing everybody everyone everything
all any both each either neither every few fewer fewest many more most much several some enough less least
lot lots no not nor only own half

am is are was were be been being have has had having do does did doing done
can could may might must shall should will would ought need needs used
cannot let lets get gets getting got gotten become becomes became becoming
seem seems seemed seeming make makes made making go goes going gone went come comes came coming
say says said saying take takes took taken taking put puts see sees seen
keep keeps kept give gives given gave use uses using know known

ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn oughtn shan shouldn wasn weren wouldn
ll ve re im ive hes shes theyre youre weve dont doesnt didnt cant wont isnt arent wasnt werent
havent hasnt hadnt couldnt shouldnt wouldnt thats theres whats wheres heres

about above across after against along alongside amid amidst among amongst around as at atop
before behind below beneath beside besides between beyond by despite down during except excepting excluding
following for from in including inside into like near of off on onto opposite out outside over
past per regarding round since than through throughout till to toward towards
under underneath unlike until unto up upon versus via vs with within without

and but or if so yet because although though whereas while whilst unless lest whether when whenever where
wherever why how however therefore thus hence otherwise else then instead moreover furthermore nevertheless
nonetheless meanwhile likewise accordingly consequently

again ago almost alone already also altogether always anyhow anyway anywhere apart aside away back
certainly elsewhere especially even ever everywhere far forth further generally here hereby herein
hereafter hereupon indeed just largely later latter lately mainly maybe merely mostly namely nearly never now
nowadays nowhere often once overall particularly perhaps possibly probably quite rather really recently
relatively seldom simply sometime sometimes somehow somewhat somewhere soon still there thereafter thereby
therein thereupon thereof together too twice usually very whereafter whereby wherein whereupon whereof
whence whither yes

two first last next former able actually anymore due etc eg ie et al mr mrs ms dr
"""

STOPWORDS: frozenset[str] = frozenset(_WORDS.split())
