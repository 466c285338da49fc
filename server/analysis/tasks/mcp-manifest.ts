import { readManifest } from '../../../src/mcp-catalogue/read-manifest.ts'
import type { Manifest, ManifestOptions } from '../../../src/mcp-catalogue/types.ts'

/**
 * Reads a manifest of MCP servers.
 * @throws SvcError `manifest-invalid`, `manifest-no-transport`, `transport-unknown`, `endpoint-address-invalid`
 */
export const run = ({ text, options }: { readonly text: string; readonly options: ManifestOptions }): Manifest =>
  readManifest(text, options)
