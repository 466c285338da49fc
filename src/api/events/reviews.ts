import { Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../../kernel/shapes.ts'
import {
  event,
  exampleUrls,
  exampleVersion,
  ofVersion,
  type OfVersion,
  versionData,
  versionLinks,
  versionUrls,
} from './declare.ts'

interface ReviewDecided extends OfVersion {
  readonly review_id: string
  readonly decision: 'approved' | 'changes_requested'
  readonly excerpt: string
  readonly requested_by: string | null
  /** Ids of users that the note mentions. */
  readonly mentions: readonly string[]
  readonly by: string | null
}

/** Events about reviews of drafts. */
export const reviewEvents = {
  'review.decided': event({
    type: 'review.decided',
    title: 'ReviewDecidedEvent',
    summary: 'A reviewer approved a draft, or requested changes.',
    data: {
      ...ofVersion,
      review_id: Type.String(),
      decision: oneOf(['approved', 'changes_requested']),
      decided_by: orNull(Type.String()),
      requested_by: orNull(Type.String()),
      urls: Type.Object(versionLinks),
    },
    example: {
      ...exampleVersion,
      review_id: '01980c63-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
      decision: 'approved',
      decided_by: 'user:01960a01-2b3c-7d4e-8f5a-0b1c2d3e4f5a',
      requested_by: 'user:01960a02-3c4d-7e5f-9a6b-1c2d3e4f5a6b',
      urls: exampleUrls,
    },
    dataOf: (payload: ReviewDecided, links) => ({
      ...versionData(payload),
      review_id: payload.review_id,
      decision: payload.decision,
      decided_by: payload.by,
      requested_by: payload.requested_by,
      urls: versionUrls(payload, links),
    }),
  }),
}
