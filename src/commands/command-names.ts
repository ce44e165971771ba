/** The values of the input `command`. */
export const commandNames = ["agent", "assistant", "export", "reconcile", "doctor"] as const;
export type CommandName = (typeof commandNames)[number];
