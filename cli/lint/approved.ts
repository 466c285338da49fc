/** For MCP servers: what was approved, beside which rules about drift look at a document. */
import type { Document } from '../../src/document/document.ts'
import { SvcError, type Detail } from '../../src/errors.ts'
import type { Beside } from '../../src/mcp-catalogue/beside.ts'
import type { Surface } from '../../src/mcp-catalogue/types.ts'

/** What is known beside a document; null where nothing is. */
export type LookBeside = (document: Document) => Beside | null

const isSurface = ({ format }: Document): boolean => format?.kind === 'mcp' && format.version === 'manifest'

/**
 * Reads the surface of `--approved`.
 * @param approved the document of that file
 * @returns for a document that is a surface too, how it differs from the approved one; null for other documents
 * @throws SvcError `manifest-invalid` where it is not a surface
 */
export async function lookBesideApproved(approved: Document): Promise<LookBeside> {
  const [{ lookBeside }, { readUpload }] = await Promise.all([
    import('../../src/mcp-catalogue/look-beside.ts'),
    import('../../src/mcp-catalogue/observe.ts'),
  ])
  const surfaceOf = ({ text, source }: Document): Surface => {
    try {
      return readUpload(text).surface
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'manifest-invalid') throw error
      const detail = error.detail as Detail<'manifest-invalid'>
      throw new SvcError('manifest-invalid', { ...detail, reason: `${source}: ${detail.reason}` })
    }
  }
  const surface = surfaceOf(approved)
  return (document) => (isSurface(document) ? lookBeside(surfaceOf(document), surface) : null)
}
