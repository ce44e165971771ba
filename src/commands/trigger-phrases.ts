/** What a comment starts with to call a command, where `trigger-phrase` says nothing else. */
export const defaultPhrases = { agent: "/docs", assistant: "/ask" } as const;
