/** The files of a release for one engine, as they are stored, and as an analysis process hands them over. */
import type { NotEnforced, Route, Setting } from '../compile/model.ts'
import type { DialectName } from '../dialects/index.ts'
import type { FileDifference } from './difference.ts'
import type { ReleaseFile } from './file.ts'
import { unzstd, zstd } from '../../host/native.ts'
import { joinBytes } from '../../kernel/bytes.ts'

/** What is stored of the files of one engine, compressed. */
export interface Content {
  readonly files: readonly ReleaseFile[]
  readonly routes: readonly Route[]
}

/** What a compilation made for one engine, without the texts of its files. */
export interface MadeTarget {
  readonly engine: DialectName
  readonly digest: string
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[]
  readonly settings: readonly Setting[]
  /** The first thousand. */
  readonly notEnforced: readonly NotEnforced[]
  readonly notEnforcedCount: number
  readonly operations: number
  readonly bodies: number
}

/** A release as it was compiled; null: its files would be those of the release before it. */
export interface Made {
  readonly targets: readonly MadeTarget[]
  /** Against the release before it. */
  readonly differences: readonly FileDifference[]
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const packContent = ({ files, routes }: Content): Uint8Array<ArrayBuffer> =>
  zstd(encoder.encode(JSON.stringify({ files, routes })))

export async function unpackContent(stored: Uint8Array): Promise<Content> {
  const bytes = await unzstd(stored)
  return JSON.parse(decoder.decode(bytes)) as Content
}

/** One answer: a line of JSON that says what was made and how long each content is, then the contents. */
export function packMade(made: Made | null, contents: readonly Uint8Array[]): Uint8Array {
  const head = encoder.encode(`${JSON.stringify({ made, lengths: contents.map((it) => it.byteLength) })}\n`)
  return joinBytes([head, ...contents])
}

/** What `packMade` packed. */
export function unpackMade(bytes: Uint8Array): {
  readonly made: Made | null
  readonly contents: readonly Uint8Array[]
} {
  const end = bytes.indexOf(0x0a)
  const head = JSON.parse(decoder.decode(bytes.subarray(0, end))) as { made: Made | null; lengths: number[] }
  let at = end + 1
  const contents = head.lengths.map((length) => bytes.slice(at, (at += length)))
  return { made: head.made, contents }
}
