import { SvcError } from '../../src/errors.ts'
import type { Analysis } from '../analysis/door.ts'
import { Guard } from '../bounds/door.ts'
import type { Deps } from '../kit/door.ts'
import { type Mirror, type Remote, type ResolvedRef, resolveRef } from '../hosting/door.ts'
import { findOne, readDocument, type StoredLineage } from '../imports/door.ts'
import { type Scope, sortPaths, type Tree, type TreeEntry } from '../sources/door.ts'
import { globSteps } from '../repositories/door.ts'
import { digestOfFiles, hasWildcard, selects } from './selected-files.ts'

/** What a selection may be. */
const mostFiles = 5000
const mostBytes = 64 * 1024 * 1024
const mostChanged = 200

/** What a path of a repository selects, at a commit. */
export interface Selection {
  readonly ref: ResolvedRef
  readonly commit: string
  /** "sha256:" of the bytes of one file; of several of their paths and digests. */
  readonly digest: string
  /** Null: it is not one document. */
  readonly document: {
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly path: string
    readonly syntax: 'json' | 'yaml' | null
    readonly analysis: Analysis
    /** Null where no overlay was applied. */
    readonly lineage: StoredLineage | null
    /** The other files that it was made of. */
    readonly others: readonly string[]
  } | null
  /** The paths of it, and of what it refers to, that differ from the commit that was named. */
  readonly changedPaths: readonly string[]
}

export interface SelectionRequest {
  readonly remote: Remote
  readonly tenantId: string
  /** For messages. */
  readonly shown: string
  /** Null: the default branch. */
  readonly ref: string | null
  readonly path: string
  /** Reads this commit whatever the ref is at, also where it was read before. */
  readonly commit?: string
  /** The commit that changes are listed since. */
  readonly since?: string
}

/** The files of a commit, as imports read them. */
class CommitTree implements Tree {
  readonly isRemote = true
  readonly links: readonly string[]
  readonly paths: readonly string[]
  readonly name: string
  readonly commit: string
  readonly #mirror: Mirror
  readonly #oids: ReadonlyMap<string, string>
  readonly #read = new Map<string, Uint8Array>()

  constructor(mirror: Mirror, name: string, commit: string, entries: readonly TreeEntry[]) {
    this.name = name
    this.commit = commit
    this.#mirror = mirror
    this.#oids = new Map(entries.filter(({ kind }) => kind === 'file').map(({ path, oid }) => [path, oid]))
    this.paths = sortPaths(this.#oids.keys())
    this.links = sortPaths(entries.filter(({ kind }) => kind === 'symlink').map(({ path }) => path))
  }

  sizeOf(): null {
    return null
  }

  isLink(path: string): boolean {
    return this.links.includes(path)
  }

  async prefetch(paths: readonly string[]): Promise<void> {
    const wanted = paths.flatMap((path) => this.#oids.get(path) ?? []).filter((oid) => !this.#read.has(oid))
    if (wanted.length === 0) return
    const found = await this.#mirror.blobs(wanted, mostBytes)
    if (found === null)
      throw new SvcError('source-too-large', { source: this.name, what: 'bytes of documents', limit: mostBytes })
    for (const [oid, bytes] of found) this.#read.set(oid, bytes)
  }

  async read(path: string): Promise<Uint8Array> {
    const oid = this.#oids.get(path)
    if (oid === undefined) throw new SvcError('source-path-missing', { source: this.name, path })
    await this.prefetch([path])
    return this.#read.get(oid) ?? new Uint8Array()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

// An overlay that does not fit is an error: without it, the document would be another one.
const ofOverlays: ReadonlySet<string> = new Set(['overlay-invalid', 'overlay-failed', 'project-file-invalid'])

/**
 * The one document of a selection; null where there is none, or more than one.
 * @throws SvcError `overlay-invalid`, `overlay-failed`, `project-file-invalid`
 */
async function documentOf(
  deps: Deps,
  selectionRequest: SelectionRequest,
  tree: CommitTree,
  selected: readonly TreeEntry[],
  signal: AbortSignal,
): Promise<Selection['document']> {
  const [only] = selected
  const isOne = only !== undefined && selected.length === 1
  const within = hasWildcard(selectionRequest.path) ? '' : selectionRequest.path
  const scope: Scope = isOne ? { boundary: '', entry: only.path, within: '' } : { boundary: '', entry: null, within }
  const { tenantId } = selectionRequest
  try {
    const texts = await findOne({ analysis: deps.analysis, tenantId, tree, scope, format: 'auto', signal })
    const { document, analysis } = await readDocument(texts, { analysis: deps.analysis, tenantId, request: {}, signal })
    const { bytes, path, lineage } = document
    return { bytes, path, syntax: document.syntax ?? null, analysis, lineage, others: texts.madeOf }
  } catch (error) {
    if (error instanceof SvcError && error.status < 500 && !ofOverlays.has(error.code)) return null
    throw error
  }
}

async function readAt(
  deps: Deps,
  request: SelectionRequest,
  mirror: Mirror,
  ref: ResolvedRef,
  signal: AbortSignal,
): Promise<Selection | null> {
  const commit = request.commit ?? ref.commit
  if (!(await mirror.fetch(commit, request.commit !== undefined))) return null
  const isSelected = selects(request.path)
  const entries = await mirror.tree(commit)
  const selected = await new Guard('binding-selection', signal).filter(
    entries,
    (entry) => globSteps(request.path, entry.path),
    (entry) => entry.kind === 'file' && isSelected(entry.path),
  )
  const { shown: repository, path } = request
  if (selected.length === 0)
    throw new SvcError('binding-selection-empty', { path, commit: commit.slice(0, 12), repository })
  const tooLarge = (limit: number, what: string) =>
    new SvcError('binding-selection-too-large', { path, repository, limit, what })
  if (selected.length > mostFiles) throw tooLarge(mostFiles, 'files')
  const blobs = await mirror.blobs(
    selected.map(({ oid }) => oid),
    mostBytes,
  )
  if (blobs === null) throw tooLarge(mostBytes, 'bytes')
  const files = selected.map(({ path: name, oid }) => ({ path: name, bytes: blobs.get(oid) ?? new Uint8Array() }))
  // What a glob leaves out is not read, whatever refers to it.
  const tree = new CommitTree(mirror, repository, commit, hasWildcard(path) ? selected : entries)
  const hasSince = request.since !== undefined && request.since !== commit && (await mirror.fetch(request.since))
  const changed = hasSince ? await mirror.changed(request.since ?? '', commit) : []
  const document = await documentOf(deps, request, tree, selected, signal)
  const others = new Set(document?.others)
  return {
    ref,
    commit,
    digest: digestOfFiles(files),
    document,
    changedPaths: changed.filter((one) => isSelected(one) || others.has(one)).slice(0, mostChanged),
  }
}

/**
 * Reads what a path selects, with the account of the remote: this read is the check of whether it may be read.
 * @returns null where the commit that was named is not in the repository any more
 * @throws SvcError `git-failed`, `egress-denied`, `ref-not-found`, `binding-selection-empty`, `binding-selection-too-large`,
 *   `file-pattern-invalid`, `overlay-invalid`, `overlay-failed`, `project-file-invalid`
 */
export function readSelection(deps: Deps, request: SelectionRequest, signal: AbortSignal): Promise<Selection | null> {
  return deps.hosting.mirrors.use(request.remote, signal, async (mirror, refs) => {
    // A commit that was named is read whatever became of the ref.
    const ref =
      request.commit === undefined
        ? resolveRef(refs, request.ref, request.shown)
        : { full: '', name: request.ref ?? '', commit: request.commit }
    return readAt(deps, request, mirror, ref, signal)
  })
}
