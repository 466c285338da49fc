import { SvcError } from '../../../src/errors.ts'
import { readManifest } from '../../../src/mcp-catalogue/read-manifest.ts'
import type { Manifest, ManifestOptions } from '../../../src/mcp-catalogue/types.ts'

/** A manifest as JSON of one member a line, so that tests can name lines. */
export const manifest = (value: unknown, options: ManifestOptions = {}): Manifest =>
  readManifest(typeof value === 'string' ? value : JSON.stringify(value, null, 1), options)

/** Why a manifest is refused: code, place and reason in one line. */
export function refusal(value: unknown, options: ManifestOptions = {}): string {
  try {
    const { servers } = manifest(value, options)
    return `read ${servers.length}`
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const { pointer, line, column } = error.detail as { pointer: string; line: number | null; column: number | null }
    return `${error.code} ${line}:${column} "${pointer}" ${error.message}`
  }
}
