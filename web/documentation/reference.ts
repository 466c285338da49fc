/** The interactive reference: Scalar, cut off from everything but this origin and the servers the document names. */
import { createApiReference } from '@scalar/api-reference'
import { listOperations } from '../src/parts/openapi-document.ts'
import { groupUntagged, mostShown } from './group-operations.ts'

export interface Reference {
  readonly title: string
  readonly mayCall: boolean
  readonly content: Record<string, unknown>
}

/** Never with cookies: a document must not be able to make a signed-in visitor's browser act on this service. */
const fetchBare = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
  fetch(input, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' })

/** Draws the interactive reference of a parsed OpenAPI document into `target`. It makes no request of its own. */
export const showReference = (target: Element, { title, mayCall, content }: Reference): void => {
  const grouped = groupUntagged(content)
  createApiReference(target, {
    content: grouped.content,
    title,
    layout: 'modern',
    theme: 'default',
    // The cast: Bun's own `fetch` has a member more than the browser's, and its types are in force here.
    customFetch: fetchBare as typeof fetch,
    hideTestRequestButton: !mayCall,
    // What would call the vendor or a third party is off: fonts, telemetry, assistant, hosted client, proxy, tools.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    // A short table of contents is shown whole; a long one opens where the reader is.
    defaultOpenAllTags: listOperations(content).length <= mostShown,
    persistAuth: false,
    // What is offered for download is the document as it is, without groups of ours.
    documentDownloadType: grouped.isGrouped ? 'none' : 'both',
    metaData: { title },
  })
}
