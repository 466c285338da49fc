/** Runs git in the repository of the current folder. */

/** Where git runs. */
export interface Repository {
  readonly cwd: string
  readonly signal: AbortSignal
}

/** What a run of git answered. */
export interface Answer {
  readonly code: number
  readonly bytes: Uint8Array
  readonly complaint: string
}

const start = (args: readonly string[], { cwd, signal }: Repository, input: string) => {
  try {
    return Bun.spawn(['git', '-C', cwd, ...args], {
      stdin: new TextEncoder().encode(input),
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
  const child = start(args, repository, input)
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
  const child = start(args, repository, '')
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

/** A blob by its name, or why there is none. */
export type Found = Uint8Array | 'missing' | 'folder'

/** The blobs that revisions of paths, or ids, name, all by one process (git cat-file --batch). */
export async function readBlobs(names: readonly string[], repository: Repository): Promise<Found[]> {
  // A line of the input is one name: what has a line break is not asked for.
  const input = names.map((it) => `${it.includes('\n') ? '' : it}\n`).join('')
  const { bytes } = await git(['cat-file', '--batch'], repository, input)
  const found: Found[] = []
  let at = 0
  for (const _ of names) {
    const end = bytes.indexOf(10, at)
    const head = new TextDecoder().decode(bytes.subarray(at, end === -1 ? bytes.length : end))
    const [, kind, size] = / (\w+) (\d+)$/.exec(head) ?? []
    at = end + 1
    if (kind === undefined || end === -1) {
      found.push('missing')
      continue
    }
    const next = at + Number(size)
    found.push(kind === 'blob' ? bytes.subarray(at, next) : 'folder')
    at = next + 1
  }
  return found
}
