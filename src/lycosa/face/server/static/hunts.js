/** The first page: the form in which a hunt is wished for, and what was hunted before. */
import { tell } from "./lib/api.js";
import { $ } from "./lib/dom.js";
import { follow } from "./wish/entries.js";
import { prepare } from "./wish/form.js";

prepare().catch(tell);
follow((number) => ($("#finding").hidden = number === 0)).catch(tell);
