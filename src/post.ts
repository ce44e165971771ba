/** `runs.post` when the action runs from its source; the build writes the same line to `dist/post.js`. */
import "./main.ts";
