/** What the engines that also run in a page need of the runtime. `browser-engine.ts` gives the same answers in browsers. */

/** When the other functions may be called: in browsers a part of the engine is loaded first. */
export const engineReady: Promise<void> = Promise.resolve()

/**
 * The value of the first document of a YAML 1.2 text (core schema, with merge keys).
 * @throws Error where it is not YAML
 */
export const parseYaml = (text: string): unknown => Bun.YAML.parse(text)

/** The SHA-256 (FIPS 180-4) of a text in UTF-8, or of bytes, as 64 hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => new Bun.CryptoHasher('sha256').update(data).digest('hex')

/** The XXH32 of a text in UTF-8 with the seed 0, as 8 hexadecimal digits. */
export const xxHash32 = (text: string): string => Bun.hash.xxHash32(text).toString(16).padStart(8, '0')

/** The XXH64 of a text in UTF-8 with the seed 0, as 16 hexadecimal digits. */
export const xxHash64 = (text: string): string => Bun.hash.xxHash64(text).toString(16).padStart(16, '0')

/** The text whose characters up to U+00FF are these bytes. */
export const textOfLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
