/** Whether a process of this machine runs, for deciding whether what it made is left over. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Someone else's process is alive all the same.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
