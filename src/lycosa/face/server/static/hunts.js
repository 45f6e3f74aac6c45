/** The first page: the form in which a hunt is wished for, and what was hunted before. */
import { tell } from "./lib/api.js";
import { follow } from "./wish/entries.js";
import { prepare } from "./wish/form.js";

follow()
  .catch((problem) => {
    tell(problem);
    return 0;
  })
  .then(prepare)
  .catch(tell);
