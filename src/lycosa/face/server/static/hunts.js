/** The start page: the form that starts a hunt, and the list of earlier hunts. */
import { tell } from "./lib/api.js";
import { $ } from "./lib/dom.js";
import { follow } from "./request/entries.js";
import { prepare } from "./request/form.js";

prepare().catch(tell);
follow((number) => ($("#finding").hidden = number === 0)).catch(tell);
