import { SvcError } from '../../src/errors.ts'

/**
 * The bytes of an archive that came as text in JSON: base64 with its padding (RFC 4648, section 4); spaces and line breaks
 * between are taken, as MIME has them.
 * @throws SvcError `request-malformed` where it is anything else
 */
export function readArchiveText(text: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' })
    if (bytes.byteLength > 0) return bytes
  } catch {
    // Refused below: the error of the runtime names neither the property nor the remedy.
  }
  throw new SvcError('request-malformed', {
    reason: '"content_base64" must be the archive in base64, with padding (RFC 4648, section 4)',
  })
}
