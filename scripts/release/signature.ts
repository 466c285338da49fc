/** Whether the signature of a macOS executable belongs to its code: macOS ends programs whose signature is wrong. */
import { createHash } from 'node:crypto'

const machO64 = 0xfeedfacf
const codeSignatureCommand = 0x1d
const superBlob = 0xfade0cc0
const codeDirectory = 0xfade0c02
const sha256Type = 2

/** Where the signature is: LC_CODE_SIGNATURE of the load commands (mach-o/loader.h). */
function signatureOf(bytes: Buffer): Buffer | null {
  if (bytes.length < 32 || bytes.readUInt32LE(0) !== machO64) return null
  const count = bytes.readUInt32LE(16)
  for (let at = 32, index = 0; index < count && at + 16 <= bytes.length; index++) {
    if (bytes.readUInt32LE(at) === codeSignatureCommand) {
      const start = bytes.readUInt32LE(at + 8)
      return bytes.subarray(start, start + bytes.readUInt32LE(at + 12))
    }
    at += Math.max(8, bytes.readUInt32LE(at + 4))
  }
  return null
}

/**
 * Compares every page of a Mach-O executable with the digests of its signature (cs_blobs.h of XNU).
 * @returns "valid", "absent" where there is no signature, "invalid" where it is of other code
 */
export function checkSignature(bytes: Buffer): 'valid' | 'absent' | 'invalid' {
  const signature = signatureOf(bytes)
  if (signature === null) return 'absent'
  if (signature.length < 20 || signature.readUInt32BE(0) !== superBlob) return 'invalid'
  const start = signature.readUInt32BE(16)
  const directory = signature.subarray(start)
  if (directory.length < 44 || directory.readUInt32BE(0) !== codeDirectory) return 'invalid'
  const [hashes, slots, limit] = [directory.readUInt32BE(16), directory.readUInt32BE(28), directory.readUInt32BE(32)]
  const [size, type, shift] = [directory[36] ?? 0, directory[37] ?? 0, directory[39] ?? 0]
  // All that precedes the signature is signed.
  if (type !== sha256Type || limit !== signature.byteOffset - bytes.byteOffset) return 'invalid'
  const page = 2 ** shift
  if (slots !== Math.ceil(limit / page)) return 'invalid'
  for (let slot = 0; slot < slots; slot++) {
    const code = bytes.subarray(slot * page, Math.min((slot + 1) * page, limit))
    const wanted = directory.subarray(hashes + slot * size, hashes + (slot + 1) * size)
    if (!createHash('sha256').update(code).digest().subarray(0, size).equals(wanted)) return 'invalid'
  }
  return 'valid'
}
