import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { dateTime, oneOf, orNull, titled } from '../../kernel/shapes.ts'

/** Where the URLs of a body lead. */
export interface EventLinks {
  /** The public address of the service, without a slash at the end. */
  readonly publicUrl: string
  /** The slug of the organization. */
  readonly tenant: string
}

/**
 * Declares an event that webhooks receive: everything about it but the place that records it. Properties are only ever added.
 * @param declaration.dataOf makes the data of the body of what `recordEvent` stores; its parameter is the type of the payload
 */
export const event = <const N extends string, D extends TProperties, P>(declaration: {
  readonly type: N
  /** The name of the schema in the description of the API. */
  readonly title: string
  /** What it means, for lists and documents. */
  readonly summary: string
  readonly data: D
  /** Data for documents, and for people who write a receiver. */
  readonly example: Static<TObject<D>>
  readonly dataOf: (payload: P, links: EventLinks) => Static<TObject<D>>
}) => {
  const { type, title, summary, data, example, dataOf } = declaration
  const schema = titled(
    title,
    Type.Object({ type: Type.Literal(type), timestamp: dateTime('When it happened.'), data: Type.Object(data) }),
  )
  return { summary, schema, example: { type, timestamp: exampleTime, data: example }, dataOf }
}

/** When the events of the examples happened. */
export const exampleTime = '2026-11-20T10:15:00.000Z'

/** Where examples lead. */
export const exampleLinks: EventLinks = { publicUrl: 'https://svc.example.com', tenant: 'acme' }

export const sequence = Type.Integer({
  description: 'Counts the events of the project: deliveries may arrive in another order.',
})

export const inProject = {
  sequence,
  project_id: Type.String(),
  project_slug: Type.String(),
}

export const ofVersion = {
  ...inProject,
  version_id: Type.String(),
  version_label: Type.String(),
}

export const versionLinks = {
  version: Type.String({ description: 'The version in the API.' }),
  application: Type.String({ description: 'The version in the application.' }),
}

export const maxSeverity = orNull(oneOf(['breaking', 'non-breaking', 'docs-only']))

/** What is recorded of every event about a version. */
export interface OfVersion {
  /** Counts the events of the project. `recordEvent` sets it. */
  readonly sequence: number
  readonly project_id: string
  readonly project_slug: string
  readonly version_id: string
  readonly label: string
}

export const versionData = (version: OfVersion) => ({
  sequence: version.sequence,
  project_id: version.project_id,
  project_slug: version.project_slug,
  version_id: version.version_id,
  version_label: version.label,
})

export const versionUrls = (
  version: Pick<OfVersion, 'project_slug' | 'version_id' | 'label'>,
  { publicUrl, tenant }: EventLinks,
) => ({
  version: `${publicUrl}/v1/tenants/${tenant}/projects/${version.project_slug}/versions/${version.version_id}`,
  application: `${publicUrl}/app/t/${tenant}/${version.project_slug}/${encodeURIComponent(version.label)}`,
})

const exampleOfVersion: OfVersion = {
  sequence: 41,
  project_id: '01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37',
  project_slug: 'train-travel',
  version_id: '01980c60-11d2-7e0f-8a47-93b1c5d2e6f8',
  label: '2.0.0',
}

/** The data of a version in examples, and its URLs. */
export const exampleVersion = versionData(exampleOfVersion)
export const exampleUrls = versionUrls(exampleOfVersion, exampleLinks)
