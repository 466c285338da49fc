import { observedSurface, readUpload } from '../../../src/mcp-catalogue/observe.ts'
import type { ObservedAnswers, ObservedSurface } from '../../../src/mcp-catalogue/types.ts'

/**
 * Reads what a server answered, or an observation that was uploaded.
 * @throws SvcError `manifest-invalid`
 */
export const run = (input: { readonly answers: ObservedAnswers } | { readonly upload: string }): ObservedSurface =>
  'upload' in input ? readUpload(input.upload) : observedSurface(input.answers)
