import type { TObject, TSchema } from '@sinclair/typebox'
import type { Code } from '../errors.ts'
import type { OperationScope, Permission } from './permissions.ts'
import type { RestTool } from './toolsets.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The kinds of credentials a caller may show. */
export const credentialKinds = ['user', 'api-key', 'agent-key', 'mcp-key', 'gateway-key'] as const
/** Those of people and programs. The key of a gateway reaches three operations of its own and no other. */
export const callerKinds = ['user', 'api-key', 'agent-key', 'mcp-key'] as const
export type CredentialKind = (typeof credentialKinds)[number]

/**
 * Who may call an operation. Every operation says it: there is no default.
 * - `anonymous`: no credentials are needed; the reason is printed in the authorization matrix. With `credentials:
 *   'optional'` credentials that are sent are verified and extend the response; otherwise they are ignored.
 * - otherwise one of `credentials`, and in the tenant of the path (or of the credential) the `permission`; null means
 *   that being an active member is enough, or, on a path without tenant, being signed in.
 * - `agentTool`: agent keys with this tool reach it too, with the permission that it needs and no other.
 * - `tenancy: 'credential'`: the tenant of the path is decorative. Another tenant there is ignored: a key works in its own, and
 *   a person in the one where they are a member.
 * - `keyScope`: a narrow scope that also reaches it; a `*` key reaches all that `api-key` may call, and a scope of the catalog all
 *   that needs a permission of its own.
 * - `from`: a person in a session of the application, not with an access token; `operator` is the operator of the service there.
 * - `writes`: it changes something, though its permission is one to read; keys that only read do not reach it.
 * - `guests`: what callers get who see only some projects (src/api/project-access.ts). Without it an operation whose path names a project
 *   is open where they have a role on it, and every other one is closed. `listed`: it names no project, and all that it reads is of
 *   theirs; `closed`: it reaches more than the project of its path.
 */
export type Access =
  | { readonly anonymous: true; readonly reason: string; readonly credentials?: 'optional' }
  | {
      readonly anonymous?: false
      readonly credentials: readonly CredentialKind[]
      readonly permission: Permission | null
      readonly tenancy?: 'credential'
      readonly keyScope?: OperationScope
      readonly from?: 'browser' | 'operator'
      readonly writes?: true
      readonly agentTool?: RestTool
      readonly guests?: 'listed' | 'closed'
    }

/** The media type of the forms of OAuth (RFC 6749, appendix B). */
export const formType = 'application/x-www-form-urlencoded'

/** Headers of successful answers that an operation declares. */
export type AnswerHeader = 'etag' | 'location' | 'deprecation' | 'sunset' | 'link' | 'x-svc-unresolved'

/** One operation, declared once: the routes, the clients, the MCP tools and the published document derive from it. */
export interface Endpoint {
  /** Unique: "projects.list". The operationId of the published document. */
  readonly id: string
  /** `spec`: the specification of the service asks for it, so that it cannot be removed; `own`: svc adds it. */
  readonly origin: 'spec' | 'own'
  readonly method: Method
  /** OpenAPI path template: "/v1/tenants/{tenant_slug}/projects". */
  readonly path: string
  /** Where an earlier release had it, with the same parameters: it answers there too, and is not described there. */
  readonly formerPath?: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
  readonly params?: TObject
  readonly query?: TObject
  /** Request headers the handler reads, in lower case. */
  readonly headers?: TObject
  readonly body?: TSchema
  /** Other spellings of properties of the body, which are taken and not described: generators of clients give both one name. */
  readonly bodySpellings?: Readonly<Record<string, string>>
  /** The body as it is described, where the handler answers what does not fit with a status of its own. */
  readonly describedBody?: TSchema
  /** A request without any body is accepted too. */
  readonly bodyOptional?: boolean
  /** Largest body in bytes; 2 MB when omitted. */
  readonly bodyLimit?: number
  /** Most values and keys of a JSON body; 100,000 when omitted. A text is one value, however long it is. */
  readonly bodyValues?: number
  /**
   * Media types of a body that is not JSON: the handler gets its bytes (`Uint8Array`) and its media type. A form (`formType`) is the
   * exception: its fields are the properties of `body`, and the handler gets them as it gets those of JSON.
   */
  readonly accepts?: readonly string[]
  readonly response: TSchema
  /** Success status; 204 has no body, 302 leads a browser elsewhere. */
  readonly status?: 200 | 201 | 202 | 204 | 302
  /** It answers 204 where there is nothing. */
  readonly mayBeEmpty?: true
  /** It answers 202 with a job where the work takes long. */
  readonly mayBeQueued?: true
  /** Media types of an answer that is not (only) application/json. */
  readonly produces?: readonly string[]
  /** Pages of any origin may read it: browsers that ask before (OPTIONS) are answered so. The handler sends the header itself. */
  readonly anyOrigin?: true
  /** Headers that a successful answer may carry beside those of every answer. */
  readonly answerHeaders?: readonly AnswerHeader[]
  /** The response is a stored text: clients return its bytes (`Uint8Array`) unchanged, also when it is JSON. */
  readonly verbatim?: boolean
  /** Codes that this operation itself may answer; those of every operation (401, 403, 413, 422 …) are implied. */
  readonly errors: readonly Code[]
}

/** Identity function: it pins the literal types of a declaration. */
export const endpoint = <const E extends Endpoint>(it: E): E => it

type Part<E, K extends string> = E extends { readonly [P in K]: { static: infer T } }
  ? { readonly [P in K]: T }
  : object
type OptionalPart<E, K extends string> = E extends { readonly [P in K]: { static: infer T } }
  ? object extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T }
  : object
type BodyPart<E> = E extends { readonly bodyOptional: true; readonly body: { static: infer T } }
  ? { readonly body?: T }
  : Part<E, 'body'>

/** What a caller gives to an operation: `{params, query?, headers?, body}` as far as it declares them. */
export type Input<E extends Endpoint> = Part<E, 'params'> &
  OptionalPart<E, 'query'> &
  OptionalPart<E, 'headers'> &
  BodyPart<E>

/** What an operation answers on success. */
export type Output<E extends Endpoint> = E['response'] extends { static: infer T } ? T : never

/**
 * Calls an operation and returns its response.
 * There are two implementations, over HTTP and in-process; callers need not know which one they have.
 * @throws SvcError with the code of the service's error response
 */
export type Call = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Output<E>>
