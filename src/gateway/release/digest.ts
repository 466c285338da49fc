/** Digests of the files of a release, as bundles carry them. */
import { canonicalJson } from '../../kernel/canonical.ts'
import { sha256 } from '../../host/engine.ts'

/** The SHA-256 of a text in lower-case hexadecimal. */
export const sha256Of = (text: string): string => sha256(text)

/**
 * The gateway that a release is for: a name that its key gives, and that does not give the key.
 * @param keyDigest the SHA-256 of the gateway's key, as `sha256Of` writes it
 */
export const recipientOf = (keyDigest: string): string => sha256Of(`svc gateway release for ${keyDigest}`)

/** What the files of one engine come to: the SHA-256 of the canonical JSON of their paths and digests. */
export const filesDigest = (files: readonly { readonly path: string; readonly sha256: string }[]): string =>
  sha256Of(canonicalJson(files.map(({ path, sha256 }) => ({ path, sha256 }))))
