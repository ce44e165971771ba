#!/usr/bin/env node
parseInt(process.versions.node)>=24?require("./index.js"):(console.error(`docs-automation needs Node 24 or newer.`),process.exitCode=1);