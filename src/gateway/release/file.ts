/** A file of a release. */
export interface ReleaseFile {
  /** Below the folder of the release, separated by "/". */
  readonly path: string
  readonly text: string
}
