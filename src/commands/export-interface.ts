/** What the export command is asked, what it works with, and how it can end. */
import type { Clock, Log } from "../base/runtime.ts";
import type { PlatformClient } from "../client/client.ts";

export type UploadKind = "archive" | "zip" | "site" | "pages" | "none";

export interface ExportOptions {
  /** The site to export; needed unless `jobId` is given. */
  readonly domain?: string | undefined;
  readonly version?: string | undefined;
  readonly paths: readonly string[];
  /** Fetch the bundle of this job instead of starting one. */
  readonly jobId?: string | undefined;
  /** `false`: end when the job is started. */
  readonly wait: boolean;
  readonly dryRun: boolean;
  readonly upload: UploadKind;
  /** Durable address of the bundle for the values file; without it, the link that expires is written. */
  readonly durableUrl?: string | undefined;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

/** A presigned link to a bundle. The URL is a credential until it expires. */
export interface BundleLink {
  readonly url: string;
  readonly expiresAt: Date | undefined;
  /** The platform's clock when it made the link. */
  readonly issuedAt: Date | undefined;
  /** Length of the archive in bytes, where the platform says it. */
  readonly sizeBytes: number | undefined;
}

/** A bundle on disk, whole and verified. */
export interface FetchedBundle {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly format: "zip" | "tar.gz";
  /** Files in the archive. */
  readonly files: number;
}

export interface UploadedArtifact {
  readonly id: number;
  /** The name really used. */
  readonly name: string;
  readonly url: string;
  /** SHA-256 in hexadecimal, of the artifact as the service keeps it. */
  readonly digest: string | undefined;
}

/** What becomes known while the command works; each is made an output at once. */
export interface ExportObserver {
  jobStarted(jobId: string): void;
  stateSeen(facts: { readonly status: string | undefined; readonly pageCount: number | undefined }): void;
  /** Called with every link before anything else is done with it. */
  linkReceived(link: BundleLink): void;
  bundleFetched(bundle: FetchedBundle): void;
  siteUnpacked(path: string): void;
  artifactUploaded(artifact: UploadedArtifact): void;
}

export interface ExportDeps {
  readonly platform: Pick<PlatformClient, "startExport" | "getExportJob" | "generateBundle">;
  /** Downloads and verifies the bundle; asks for a link whenever it needs a fresh one. */
  readonly fetchBundle: (getLink: () => Promise<BundleLink>) => Promise<FetchedBundle>;
  /** Unpacks the bundle; returns the site's folder. */
  readonly unpackSite: (bundle: FetchedBundle) => Promise<string>;
  readonly uploadArtifact: (
    kind: Exclude<UploadKind, "none">,
    content: { readonly bundle: FetchedBundle; readonly sitePath: string | undefined },
  ) => Promise<UploadedArtifact>;
  /** The deployment's values file, where there is one to update; `false` where it was current already. */
  readonly writeValues:
    | ((values: { readonly bundleUrl: string; readonly version: string }) => Promise<boolean>)
    | undefined;
  readonly observer: ExportObserver;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type ExportResult =
  | {
      readonly outcome: "exported";
      readonly jobId: string;
      readonly pageCount: number | undefined;
      readonly bundle: FetchedBundle;
      readonly link: BundleLink;
      readonly sitePath: string | undefined;
      readonly artifact: UploadedArtifact | undefined;
      /** What became of the deployment's values file, where there is one. */
      readonly values: { readonly isChanged: boolean; readonly isDurable: boolean } | undefined;
      /** From the start request, or from now on for an existing job, in milliseconds. */
      readonly tookMs: number;
    }
  | { readonly outcome: "detached"; readonly jobId: string }
  | {
      readonly outcome: "skipped";
      readonly reason: "dry-run";
      readonly wouldSend: { readonly request: string; readonly body?: unknown };
    };
