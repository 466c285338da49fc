/** The same as `engine.ts` in a browser, where libraries do what the runtime has built in. */
import { sha256 as sha256Of } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseDocument } from 'yaml'
import xxhash, { type XXHashAPI } from 'xxhash-wasm'
import type * as engine from './engine.ts'

type Engine = typeof engine

let hashes: XXHashAPI | undefined

async function load(): Promise<void> {
  hashes = await xxhash()
}

export const engineReady: Engine['engineReady'] = load()

function ready(): XXHashAPI {
  if (hashes === undefined) throw new Error('The engine is asked before it is ready.')
  return hashes
}

export const parseYaml: Engine['parseYaml'] = (text) => {
  const read = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false, merge: true })
  const [first] = read.errors
  if (first !== undefined) throw first
  return read.toJS({ maxAliasCount: -1 })
}

export const sha256: Engine['sha256'] = (data) =>
  bytesToHex(sha256Of(typeof data === 'string' ? utf8ToBytes(data) : data))

export const xxHash32: Engine['xxHash32'] = (text) => ready().h32(text).toString(16).padStart(8, '0')

export const xxHash64: Engine['xxHash64'] = (text) => ready().h64(text).toString(16).padStart(16, '0')

// What `TextDecoder` calls latin1 is another character set between 0x80 and 0x9f.
export const textOfLatin1: Engine['textOfLatin1'] = (bytes) => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return parts.join('')
}
