import { versionsApi } from '../../../../../src/api/versions.ts'
import { callStream } from '../../../call.ts'
import { readRope, type Rope } from '../../../editor/rope.ts'
import { type VersionRef, versionParams } from '../../catalog/versions.ts'

/** The document of a version as it is stored. */
export interface StoredText {
  readonly rope: Rope
  readonly etag: string
  readonly mediaType: string
}

/** Reads the document of a version in pieces. */
export const readStored = async (at: VersionRef): Promise<StoredText> => {
  const { body, etag, mediaType } = await callStream(versionsApi.document, { params: versionParams(at) })
  return { rope: await readRope(body), etag: etag ?? '""', mediaType }
}

export const syntaxOf = (mediaType: string): 'json' | 'yaml' => (mediaType.includes('json') ? 'json' : 'yaml')
