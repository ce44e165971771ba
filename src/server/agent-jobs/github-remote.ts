/** A repository on GitHub, github.com or a server of one's own. */
export interface GithubRemote {
  /** `https://github.com` */
  readonly serverUrl: string;
  /** `https://api.github.com` */
  readonly apiUrl: string;
  readonly owner: string;
  readonly repository: string;
  /** Address that git fetches from and pushes to; the repository's on the server unless set. */
  readonly gitUrl?: string;
  /** Needs `contents: write` and `pull-requests: write`. */
  readonly token: string;
}
