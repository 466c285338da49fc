/** Runs git in the repository of the current folder. */

/** A blob by its name, or why there is none. */
export type BlobResult = Uint8Array | 'missing' | 'folder'

/** What a name means: the id of an object is a digest of its content. */
interface ObjectLine {
  readonly id: string
  readonly kind: string
  readonly size: number
}

/** What answers the questions of a whole run about a repository. */
export interface Objects {
  /** What `git rev-parse --show-prefix` answers. */
  prefix(): Promise<Answer>
  /** What a name such as "main:openapi.yaml" means, without reading it; null where it means nothing. */
  find(name: string): Promise<ObjectLine | null>
  /** The blobs that names mean, as `readBlobs` gives them. */
  read(names: readonly string[]): Promise<BlobResult[]>
}

/** Where git runs. */
export interface Repository {
  readonly cwd: string
  readonly signal: AbortSignal
  /** What is asked in a run of many questions; without it each has a process of its own. */
  readonly objects?: Objects | undefined
}

/** What a run of git answered. */
export interface Answer {
  readonly code: number
  readonly bytes: Uint8Array
  readonly complaint: string
}

/** Starts git with some input, or "pipe" to give it more and more; null where it is not installed. */
export const start = (
  args: readonly string[],
  { cwd, signal }: Repository,
  input: 'pipe' | Uint8Array,
): Bun.Subprocess<'pipe' | Uint8Array, 'pipe', 'pipe'> | null => {
  try {
    return Bun.spawn(['git', '-C', cwd, ...args], {
      stdin: input,
      stdout: 'pipe',
      stderr: 'pipe',
      signal,
      env: { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
    })
  } catch {
    return null
  }
}

/** Runs git with some input, and waits for its end. */
export async function git(args: readonly string[], repository: Repository, input = ''): Promise<Answer> {
  const child = start(args, repository, new TextEncoder().encode(input))
  if (child === null) return { code: 127, bytes: new Uint8Array(), complaint: 'git is not installed' }
  const [bytes, complaint, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, bytes, complaint: complaint.trim() }
}

/** The lines of what git answers; null where it refuses. */
export async function lines(args: readonly string[], repository: Repository): Promise<string[] | null> {
  const { code, bytes } = await git(args, repository)
  return code === 0 ? new TextDecoder().decode(bytes).split('\n').filter(Boolean) : null
}

/** Gives each entry of what git lists with `-z`, as it comes; ends git where `take` throws. Returns the exit code. */
export async function eachEntry(
  args: readonly string[],
  repository: Repository,
  take: (entry: string) => void,
): Promise<number> {
  const child = start(args, repository, new Uint8Array())
  if (child === null) return 127
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const piece of child.stdout) {
      const entries = (rest + decoder.decode(piece, { stream: true })).split('\0')
      rest = entries.pop() ?? ''
      for (const entry of entries) take(entry)
    }
  } finally {
    child.kill()
  }
  return child.exited
}

/** A line of `git cat-file --batch-check`; null where it says that there is no such object. */
export function answerOf(line: string): ObjectLine | null {
  const [, id, kind, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line) ?? []
  return id === undefined || kind === undefined ? null : { id, kind, size: Number(size) }
}

/** The content of an object, which is a blob or something that has files in it. */
export const blobOf = (kind: string, bytes: Uint8Array): BlobResult => (kind === 'blob' ? bytes : 'folder')

/** The blobs that revisions of paths, or ids, name, all by one process (git cat-file --batch). */
export async function readBlobs(names: readonly string[], repository: Repository): Promise<BlobResult[]> {
  if (repository.objects !== undefined) return repository.objects.read(names)
  // A line of the input is one name: what has a line break is not asked for.
  const input = names.map((it) => `${it.includes('\n') ? '' : it}\n`).join('')
  const { bytes } = await git(['cat-file', '--batch'], repository, input)
  const found: BlobResult[] = []
  let at = 0
  for (const _ of names) {
    const end = bytes.indexOf(10, at)
    const known = answerOf(new TextDecoder().decode(bytes.subarray(at, end === -1 ? bytes.length : end)))
    at = end + 1
    if (known === null || end === -1) {
      found.push('missing')
      continue
    }
    const next = at + known.size
    found.push(blobOf(known.kind, bytes.subarray(at, next)))
    at = next + 1
  }
  return found
}
