/** The start page: the form that starts a hunt, and the list of earlier hunts. */
import { tell } from "./lib/api.js";
import { follow } from "./request/entries.js";
import { canFind, prepare } from "./request/form.js";

prepare().catch(tell);
follow((number) => canFind("collections", number)).catch(tell);
