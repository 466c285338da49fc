import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Invocation } from '../declare.ts'
import { readFileText, readStandardInput, readUrl } from '../input/document-source.ts'

/** A manifest as an import takes it. */
export interface ReadManifest {
  readonly name: string
  readonly manifest: string
  /** The text of tools.json beside a server.yaml. */
  readonly tools: string | null
}

/** "server.yaml" has its tools in "tools.json", "okta.server.yaml" in "okta.tools.json". */
function toolsBeside(path: string): string | null {
  const [, prefix] = /^(.*?)server\.ya?ml$/i.exec(basename(path)) ?? []
  if (prefix === undefined) return null
  const wanted = `${prefix}tools.json`
  const folder = dirname(path)
  return readdirSync(folder).includes(wanted) ? join(folder, wanted) : null
}

/**
 * Reads a manifest: a file, an address, or "-" for standard input.
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`, `egress-denied`, `fetch-failed`
 */
export async function readManifestFile(name: string, invocation: Invocation<unknown, unknown>): Promise<ReadManifest> {
  if (name === '-') {
    const { text } = await readStandardInput(invocation)
    return { name: 'standard input', manifest: text, tools: null }
  }
  if (/^https?:\/\//i.test(name)) return { name, manifest: (await readUrl(name, invocation)).text, tools: null }
  const { cwd } = invocation
  const { text } = await readFileText(name, cwd)
  const beside = toolsBeside(resolve(cwd, name))
  return { name, manifest: text, tools: beside === null ? null : (await readFileText(beside, cwd)).text }
}
