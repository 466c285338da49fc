/** What the catalogue of MCP servers knows: plain data, the same in a task, in a row and in an answer. */
import type { ChangeSeverity, Classification, Witness } from '../diff/change.ts'
import type { Json, JsonObject } from '../kernel/json.ts'

/** How a server is reached. */
export const transports = ['streamable_http', 'sse', 'stdio'] as const
export type Transport = (typeof transports)[number]

/** What a manifest is, as its content shows. */
export const manifestFormats = [
  'server-json',
  'server-card',
  'tools-list',
  'docker',
  'mcpb',
  'client-configuration',
] as const
export type ManifestFormat = (typeof manifestFormats)[number]

/** The lists of a surface, by their names in the protocol. */
export const surfaceLists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const
export type SurfaceList = (typeof surfaceLists)[number]

/** What a server offers: the items of its lists as they were sent, unknown fields included. */
export type Surface = Readonly<Record<SurfaceList, readonly JsonObject[]>>

/** How many items each list of a surface has. */
export interface SurfaceCounts {
  readonly tools: number
  readonly resources: number
  readonly templates: number
  readonly prompts: number
}

/** Digests of a surface, each "sha256:" and 64 hexadecimal digits. */
export interface Fingerprints {
  /** Of everything that was sent, apart from what changes without a change of the server: `_meta`, cursors, times. */
  readonly wire: string
  /** Of names and schemas alone: equal where only texts differ. */
  readonly semantic: string
}

/** A place in a manifest. Lines and columns begin with 1. */
export interface ManifestPlace {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string
  readonly line: number
  readonly column: number
}

/** What a reader of a manifest should know, although the manifest is accepted. */
export interface ManifestNotice extends ManifestPlace {
  /** "secret-dropped", "field-ignored", "template-address", "duplicate-name" … */
  readonly code: string
  readonly message: string
}

/** What someone has to provide to start or call a server; its value is never kept. */
export interface DeclaredInput {
  readonly name: string
  readonly in: 'environment' | 'header' | 'argument' | 'variable'
  readonly description: string | null
  readonly isRequired: boolean
  readonly isSecret: boolean
  /** What may be chosen, where that is listed. */
  readonly choices?: readonly string[]
}

/** An argument of a command that starts a server; a value of a secret is null. */
export interface LaunchArgument {
  readonly type: 'named' | 'positional'
  readonly name: string | null
  readonly valueHint: string | null
  readonly description: string | null
  readonly value: string | null
  readonly default: string | null
  readonly isRequired: boolean
  readonly isRepeated: boolean
  readonly isSecret: boolean
  readonly variables: readonly DeclaredInput[]
}

/** How a package is started, as server.json says it. */
export interface PackageLaunch {
  readonly runtimeHint: string | null
  readonly runtimeArguments: readonly LaunchArgument[]
  readonly packageArguments: readonly LaunchArgument[]
  /** What it speaks once it runs; an address is one of the machine that it runs on. */
  readonly transport: { readonly type: Transport; readonly address: string | null }
  readonly fileSha256: string | null
}

/** A way to reach a server. */
export interface DeclaredTransport {
  readonly type: Transport
  /** In normal form, null for stdio; with `{name}` where variables are to be filled in. */
  readonly address: string | null
  /** The names of these variables: an address with one cannot be observed. */
  readonly variables: readonly string[]
  readonly inputs: readonly DeclaredInput[]
  /** For stdio: the command and its arguments, without secrets. */
  readonly command: readonly string[] | null
}

/** What a server is installed from. */
export interface DeclaredPackage {
  /** "npm", "pypi", "oci", "nuget", "mcpb" …, in lower case. */
  readonly registry: string
  readonly identifier: string
  readonly version: string | null
  readonly inputs: readonly DeclaredInput[]
  /** Where the manifest is a server.json. */
  readonly launch?: PackageLaunch
}

/** What a server says it is. */
export interface ServerIdentity {
  readonly name: string | null
  readonly title: string | null
  readonly version: string | null
  readonly description: string | null
  readonly websiteUrl: string | null
  readonly repositoryUrl: string | null
}

/** One server of a manifest, without any secret: all that is stored of a declaration. */
export interface DeclaredServer {
  readonly format: ManifestFormat
  /** "2025-12-11" for server.json, "0.3" for a bundle; null where the manifest names none. */
  readonly schemaVersion: string | null
  /** Where it is in the manifest. */
  readonly place: ManifestPlace
  /** What it is called in lists: never empty. */
  readonly name: string
  readonly identity: ServerIdentity
  /** The transport of the endpoint, and its address in normal form (null for stdio). */
  readonly transport: Transport
  readonly address: string | null
  /** The names of variables in `address`: where there is one, the endpoint cannot be observed. */
  readonly variables: readonly string[]
  /** All ways to reach it, the preferred one first. */
  readonly transports: readonly DeclaredTransport[]
  readonly packages: readonly DeclaredPackage[]
  /**
   * By which it is recognised, the most telling first: addresses in normal form, packages as "pkg:npm/name" (without a version), the
   * command of a local server. Empty where nothing tells it from others.
   */
  readonly keys: readonly string[]
  /** Null where it declares no tool, resource or prompt: two such servers are not the same surface. */
  readonly surface: Surface | null
  /** Of `surface`. */
  readonly fingerprint: Fingerprints | null
  /** Whether the surface says all that a server would send. Names alone, or arguments without schemas, do not. */
  readonly isComplete: boolean
  readonly counts: SurfaceCounts
}

/** What is read from a manifest. */
export interface Manifest {
  readonly format: ManifestFormat
  readonly schemaVersion: string | null
  /** At least one; several for client configurations and lists of registries. */
  readonly servers: readonly DeclaredServer[]
  /** In the order of the text; what was dropped is named, never its value. */
  readonly notices: readonly ManifestNotice[]
}

/** What the caller of an import says beside the manifest. */
export interface ManifestOptions {
  /** For messages: the name of the file. */
  readonly source?: string
  readonly endpointUrl?: string | null
  readonly transport?: Transport | null
  /** The text of `tools.json` beside a `server.yaml` of Docker. */
  readonly tools?: string | null
}

/** What a server answered: lists as the pages had them, and what it said of itself. */
export interface ObservedAnswers {
  /** The raw JSON of the result (or of the whole JSON-RPC answer) of `initialize` or `server/discover`. */
  readonly server?: string | null
  /** The raw JSON of the result of each page, by list. */
  readonly pages: Readonly<Partial<Record<SurfaceList, readonly string[]>>>
}

/** What was observed of a server. */
export interface ObservedSurface {
  readonly identity: ServerIdentity
  readonly protocolVersion: string | null
  readonly instructions: string | null
  readonly surface: Surface
  readonly fingerprint: Fingerprints
  readonly counts: SurfaceCounts
  /** Duplicate names, items of other types … */
  readonly notices: readonly ManifestNotice[]
}

export const factKinds = ['identity', 'transport', 'package', 'tool', 'resource', 'template', 'prompt'] as const
export type FactKind = (typeof factKinds)[number]
export const factOrigins = ['declared', 'observed', 'both', 'conflicts'] as const
export type FactOrigin = (typeof factOrigins)[number]

/** One change of a surface, as a person reads it. */
export interface SurfaceChange {
  /** The id of the change rule; "field-changed" for fields that no rule knows. */
  readonly id: string
  readonly severity: ChangeSeverity
  readonly classification: Classification
  readonly message: string
  /** JSON Pointers below the item, of the side that has it. */
  readonly basePointer: string | null
  readonly headPointer: string | null
  readonly before: Json
  readonly after: Json
  /** A value that one side accepts and the other refuses, confirmed. */
  readonly witness: Witness | null
}

/** A stretch of a text comparison; hidden characters are written as "⟨U+200B⟩". */
export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** The edit of a text that models read. */
export interface TextDifference {
  /** JSON Pointer below the item: "/description". */
  readonly pointer: string
  readonly parts: readonly TextPart[]
  /** What is hidden in the new text: "3 zero-width characters (U+200B)", and what tag characters spell. */
  readonly hidden: readonly string[]
}

/** What changed in one tool, resource, template or prompt. */
export interface ItemDifference {
  readonly kind: Extract<FactKind, 'tool' | 'resource' | 'template' | 'prompt'>
  readonly key: string
  readonly action: 'added' | 'removed' | 'changed'
  /** The worst of its changes. */
  readonly severity: ChangeSeverity
  /** The worst first; the first ten. */
  readonly changes: readonly SurfaceChange[]
  /** How many there are in all. */
  readonly changeCount: number
  readonly texts: readonly TextDifference[]
}

/** A comparison of two surfaces, for the person who approves the later one. */
export interface SurfaceComparison {
  readonly isSame: boolean
  /** Whether names and schemas are the same: only texts and annotations changed. */
  readonly isSameMeaning: boolean
  readonly severity: ChangeSeverity | null
  readonly counts: Readonly<Record<ChangeSeverity, number>>
  /** The worst first, then by kind and name. */
  readonly items: readonly ItemDifference[]
  /** How many more items changed than are listed. */
  readonly more: number
}

/** The worst change of a fact, with what else changed. */
export interface FactDifference {
  readonly severity: ChangeSeverity
  readonly changes: readonly SurfaceChange[]
  readonly witness: Witness | null
}

/** What is known of one part of a server, and from where. */
export interface Fact {
  readonly kind: FactKind
  readonly key: string
  readonly origin: FactOrigin
  readonly declared?: Json
  readonly observed?: Json
  readonly observedAt?: string
  readonly difference?: FactDifference
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

/** So many tools are compared with each other on each side: pairs grow with the square, and each takes about ten milliseconds. */
export const mostChainedTools = 20

export const surfaceMatches = ['none', 'declared_only', 'observed_only', 'identical', 'divergent'] as const
export type SurfaceMatch = (typeof surfaceMatches)[number]

/** Where what is known of a server comes from. */
export interface Provenance {
  readonly surfaceMatch: SurfaceMatch
  readonly declaredFingerprint: string | null
  readonly observedFingerprint: string | null
  readonly fingerprintsMatch: boolean
  readonly originCounts: Readonly<Record<FactOrigin, number>>
  /** Identity included. */
  readonly conflictCount: number
  /** Identity first, then transports, packages, tools, resources, templates and prompts, each by name. */
  readonly facts: readonly Fact[]
}

/** An endpoint as an import looks for it. */
export interface KnownEndpoint {
  readonly id: string
  readonly address: string | null
  readonly keys: readonly string[]
  /** The wire fingerprint of its current declaration. */
  readonly declared: string | null
  readonly observed: string | null
  /** How many declarations of it are not superseded. */
  readonly declarations: number
}

/** What an import does. */
export interface ImportDecision {
  readonly match: 'address' | 'surface' | 'none'
  /** Null: a new endpoint is registered. */
  readonly endpointId: string | null
  /** Whether the same surface is declared at another address. */
  readonly surfaceConflict: boolean
  readonly observedFingerprint: string | null
  readonly supersededManifests: number
  /** One sentence. */
  readonly reason: string
  /** What the endpoint is recognised by from now on. */
  readonly keys: readonly string[]
  /** The address of the endpoint from now on. */
  readonly address: string | null
}

export const endpointStates = [
  'ok',
  'drifted',
  'conflicting',
  'unreachable',
  'auth-required',
  'never-observed',
] as const
export type EndpointState = (typeof endpointStates)[number]

/** Why an observation failed. */
export type ObservationFailure = 'unreachable' | 'auth-required'
