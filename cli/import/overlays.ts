/** The overlays that a command line names for an import. */
import type { SentOverlay } from '../../src/api/imports.ts'
import { readSource } from '../input/document-side.ts'

/** The overlays of --overlay, as they are sent. */
export async function readOverlays(
  names: readonly string[],
  around: Parameters<typeof readSource>[1],
): Promise<SentOverlay[]> {
  const overlays: SentOverlay[] = []
  for (const name of names) {
    const { text } = await readSource(name, { ...around, asWritten: true })
    overlays.push({ name, content: text })
  }
  return overlays
}
