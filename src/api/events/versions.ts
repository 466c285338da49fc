import { Type } from '@sinclair/typebox'
import { dateTime, oneOf, orNull } from '../../kernel/shapes.ts'
import {
  event,
  exampleTime,
  exampleUrls,
  exampleVersion,
  maxSeverity,
  ofVersion,
  type OfVersion,
  versionData,
  versionLinks,
  versionUrls,
} from './declare.ts'

const urls = Type.Object(versionLinks)

interface VersionPublished extends OfVersion {
  readonly visibility: 'public' | 'private'
  readonly digest: string
  /** Null: nothing was published before that it could be compared with. */
  readonly baseline_version_id: string | null
  readonly baseline_label: string | null
  readonly max_severity: 'breaking' | 'non-breaking' | 'docs-only' | null
  readonly counts: {
    readonly breaking: number
    readonly nonBreaking: number
    readonly docsOnly: number
    readonly unknown: number
  }
  readonly forced: boolean
  /** "user:ID", or the kind and id of a key; null: the service itself. */
  readonly published_by: string | null
  readonly published_at: string
}

/** Events about versions of projects. */
export const versionEvents = {
  'version.published': event({
    type: 'version.published',
    title: 'VersionPublishedEvent',
    summary: 'A version was published. The only type that minSeverity filters.',
    data: {
      ...ofVersion,
      visibility: oneOf(['public', 'private']),
      digest: Type.String({ description: 'SHA-256 of the document.' }),
      baseline_version_id: orNull(Type.String({ description: 'What it was compared with.' })),
      baseline_version_label: orNull(Type.String()),
      max_severity: maxSeverity,
      counts: Type.Object({
        breaking: Type.Integer(),
        non_breaking: Type.Integer(),
        docs_only: Type.Integer(),
        undecided: Type.Integer({ description: 'Of those: changes whose effect cannot be decided.' }),
      }),
      forced: Type.Boolean(),
      published_by: orNull(Type.String()),
      published_at: dateTime(),
      urls,
    },
    example: {
      ...exampleVersion,
      visibility: 'private',
      digest: 'sha256:7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
      baseline_version_id: '01970b12-5c44-7d3a-b2e1-6f0c9a8d7b15',
      baseline_version_label: '1.4.0',
      max_severity: 'breaking',
      counts: { breaking: 2, non_breaking: 5, docs_only: 3, undecided: 0 },
      forced: false,
      published_by: 'user:01960a01-2b3c-7d4e-8f5a-0b1c2d3e4f5a',
      published_at: exampleTime,
      urls: exampleUrls,
    },
    dataOf: (payload: VersionPublished, links) => ({
      ...versionData(payload),
      visibility: payload.visibility,
      digest: payload.digest,
      baseline_version_id: payload.baseline_version_id,
      baseline_version_label: payload.baseline_label,
      max_severity: payload.max_severity,
      counts: {
        breaking: payload.counts.breaking,
        non_breaking: payload.counts.nonBreaking,
        docs_only: payload.counts.docsOnly,
        undecided: payload.counts.unknown,
      },
      forced: payload.forced,
      published_by: payload.published_by,
      published_at: payload.published_at,
      urls: versionUrls(payload, links),
    }),
  }),
  'version.deprecated': event({
    type: 'version.deprecated',
    title: 'VersionDeprecatedEvent',
    summary: 'A version was deprecated, or the sunset or replacement of a deprecated one changed.',
    data: { ...ofVersion, sunset_at: orNull(dateTime()), replacement: orNull(Type.String()), urls },
    example: { ...exampleVersion, sunset_at: '2027-06-01T00:00:00.000Z', replacement: '3.0.0', urls: exampleUrls },
    dataOf: (
      payload: OfVersion & { readonly sunset_at: string | null; readonly replacement: string | null },
      links,
    ) => ({
      ...versionData(payload),
      sunset_at: payload.sunset_at,
      replacement: payload.replacement,
      urls: versionUrls(payload, links),
    }),
  }),
  'version.undeprecated': event({
    type: 'version.undeprecated',
    title: 'VersionUndeprecatedEvent',
    summary: 'The deprecation of a version was withdrawn.',
    data: { ...ofVersion, urls },
    example: { ...exampleVersion, urls: exampleUrls },
    dataOf: (payload: OfVersion, links) => ({ ...versionData(payload), urls: versionUrls(payload, links) }),
  }),
  'version.retired': event({
    type: 'version.retired',
    title: 'VersionRetiredEvent',
    summary: 'A version was retired.',
    data: { ...ofVersion, urls },
    example: { ...exampleVersion, urls: exampleUrls },
    dataOf: (payload: OfVersion, links) => ({ ...versionData(payload), urls: versionUrls(payload, links) }),
  }),
}
