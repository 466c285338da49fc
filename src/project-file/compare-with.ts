/** What `compareWith` of `svc.yaml` names. */

/** The older side of an API: a revision of git, a version of the service, a file or an address. */
export type CompareWith =
  | {
      readonly kind: 'git'
      readonly revision: string
      /** From the top of the repository; null for the root of the API itself. */
      readonly path: string | null
    }
  | { readonly kind: 'version'; readonly project: string; readonly version: string }
  /** Relative to the file that names it, until its reader makes it absolute. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }

/** Where a text was read, which decides what it may name. */
export interface TextOrigin {
  /** The project of the API; null where it has none, or where the text is for all APIs. */
  readonly project: string | null
  /** It is for all APIs: one document cannot be meant. */
  readonly forAll: boolean
}

const single = 'names one document, so it belongs to an API; for all APIs use git:REVISION or @VERSION'

/**
 * Reads what an API is compared with.
 * @returns the side, null for "none", or what is wrong with it in a few words
 */
export function readCompareWith(text: string, { project, forAll }: TextOrigin): CompareWith | null | string {
  if (text === 'none') return null
  const revised = /^git:(?<revision>[^:]+)(?::(?<path>.+))?$/.exec(text)?.groups
  if (revised !== undefined) {
    const { revision = '', path } = revised
    if (revision.startsWith('-')) return `"${revision}" is not a git revision`
    if (path !== undefined && forAll) return `"${text}" ${single}`
    return { kind: 'git', revision, path: path ?? null }
  }
  if (text === 'git:' || text === 'git') return 'git: needs a revision, such as git:origin/main'
  const ofProject = /^@(?<version>[^/\\:]+)$/.exec(text)?.groups?.version
  if (ofProject !== undefined) {
    if (forAll) return { kind: 'version', project: '', version: ofProject }
    if (project === null) return `"${text}" is a version of the project of the API, but "project" is not set`
    return { kind: 'version', project, version: ofProject }
  }
  if (forAll) return `"${text}" ${single}`
  if (/^https?:\/\//i.test(text)) return { kind: 'address', url: text }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return `"${text}": addresses begin with http:// or https://`
  const stored = /^(?<name>[^/@\\:]+)@(?<version>[^/\\:]+)$/.exec(text)?.groups
  if (stored !== undefined && !/\.(?:json|ya?ml)$/i.test(text))
    return { kind: 'version', project: stored.name ?? '', version: stored.version ?? '' }
  const colon = /^[a-z]:[\\/]/i.test(text) ? -1 : text.indexOf(':')
  if (colon > 0) return { kind: 'git', revision: text.slice(0, colon), path: text.slice(colon + 1) }
  return { kind: 'file', path: text }
}
