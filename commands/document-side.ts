/** Reads one side of a comparison: a file, standard input, an address, a file of a git revision, or a stored version. */
import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { Document } from '../src/document/document.ts'
import { parseDocument } from '../src/document/parse.ts'
import { SvcError } from '../src/errors.ts'
import type { Invocation } from './command.ts'
import { bundle } from './document-bundle.ts'
import type { SourceText } from './document-bundle.ts'

const maxBytes = 64 * 1024 * 1024

type Reading = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection'>

const failed = (name: string, reason: string): SvcError =>
  new SvcError('usage', { reason: `${name} cannot be read: ${reason}.` })

const readFileText = async (name: string, cwd: string): Promise<SourceText> => {
  const path = resolve(cwd, name)
  try {
    const { size } = await stat(path)
    if (size > maxBytes) throw new SvcError('body-too-large', { limit_bytes: maxBytes })
    const text = await Bun.file(path).text()
    const folder = resolve(path, '..')
    return {
      name,
      text,
      near: (relative) => readFileText(isAbsolute(relative) ? relative : resolve(folder, relative), cwd),
    }
  } catch (thrown) {
    if (thrown instanceof SvcError) throw thrown
    const { code } = thrown as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder; name a file in it',
      EACCES: 'you may not read it',
    }
    throw failed(name, reasons[code ?? ''] ?? String(thrown))
  }
}

const readGit = async (revision: string, path: string, cwd: string, signal: AbortSignal): Promise<SourceText> => {
  // `--end-of-options` keeps a revision that looks like an option from being one.
  const name = `${revision}:${path}`
  const git = Bun.spawn(['git', '-C', cwd, 'show', '--end-of-options', name], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
  })
  const [text, complaint, code] = await Promise.all([
    new Response(git.stdout).text(),
    new Response(git.stderr).text(),
    git.exited,
  ])
  if (code !== 0)
    throw failed(
      name,
      complaint
        .trim()
        .replace(/^fatal: /, '')
        .replace(/\.$/, '')
        .split('\n')[0] ?? 'git refused',
    )
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
  return { name, text, near: (relative) => readGit(revision, normal(`${folder}/${relative}`), cwd, signal) }
}

/** A relative path without `.` and `..` in its middle, as git wants it. */
const normal = (path: string): string => {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  const text = steps.join('/')
  return path.startsWith('./') || text.startsWith('..') ? `./${text}` : text
}

/** Reads an address through the egress guard, which lets the command line reach loopback. Raises `egress-denied`, `fetch-failed`. */
export const readUrl = async (url: string, env: Reading['env'], signal: AbortSignal): Promise<SourceText> => {
  const { importFetch } = await import('../server/egress/fetch.ts')
  const { parseNetworks } = await import('../server/egress/address.ts')
  const allow = parseNetworks(
    ['127.0.0.0/8', '::1/128', env.SVC_EGRESS_ALLOW ?? ''].filter((it) => it !== '').join(','),
  )
  const { bytes } = await importFetch(allow)(url, signal)
  return {
    name: url,
    text: new TextDecoder().decode(bytes),
    near: (relative) => readUrl(new URL(relative, url).href, env, signal),
  }
}

const readStored = async (project: string, version: string, reading: Reading): Promise<SourceText> => {
  const { versionsApi } = await import('../src/api/versions.ts')
  const { call, tenant } = await reading.connection()
  const params = { tenant_slug: await tenant(), project_ref: project, version_ref: version }
  const document = await call(versionsApi.document, { params })
  const text =
    typeof document === 'string'
      ? document
      : document instanceof Uint8Array
        ? new TextDecoder().decode(document)
        : JSON.stringify(document)
  return { name: `${project}@${version}`, text, near: null }
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}

/** The text of one side, and what stands beside it. Raises what `readSide` raises. */
export const readSource = async (side: string, reading: Reading): Promise<SourceText> => {
  const { cwd, signal } = reading
  if (side === '-') {
    if (reading.io.isInteractive)
      await reading.io.stderr('Reading the document from standard input; end it with Ctrl-D.')
    return {
      name: '-',
      text: new TextDecoder().decode(await reading.io.stdin()),
      near: (relative) => readFileText(relative, cwd),
    }
  }
  if (/^https?:\/\//i.test(side)) return await readUrl(side, reading.env, signal)
  // What exists as a file is one, whatever its name looks like.
  if (await exists(resolve(cwd, side))) return await readFileText(side, cwd)
  const colon = side.indexOf(':')
  if (colon > 0) return await readGit(side.slice(0, colon), side.slice(colon + 1), cwd, signal)
  const stored = /^([^/@\\]+)@([^/\\]+)$/.exec(side)
  if (stored) return await readStored(stored[1]!, stored[2]!, reading)
  return await readFileText(side, cwd)
}

/**
 * Reads and parses one side. Documents of several files come as one.
 * @throws SvcError `usage` where nothing can be read, `document-invalid` where it is no document, `egress-denied`,
 *   `fetch-failed`, and what the service answers for stored versions.
 */
export const readSide = async (side: string, reading: Reading): Promise<Document> => {
  const source = await readSource(side, reading)
  const document = parseDocument(source.text, { source: source.name })
  const fault = document.problems.find((problem) => problem.severity === 'error')
  if (document.value === null && fault) {
    const { line, character } = fault.range.start
    throw new SvcError('document-invalid', {
      reason: `${source.name}:${line + 1}:${character + 1}: ${fault.message.replace(/\.$/, '')}`,
    })
  }
  return await bundle(document, source)
}
