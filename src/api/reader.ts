/**
 * The parts of a version's documentation that the page reads one by one, so that a document of any size opens at once.
 * Descriptions are HTML that was made harmless before it was stored; every other text is a text.
 */

/** A part of a type: a text, or the name of a schema to link to. */
export type Segment = string | { readonly schema: string }

export interface SchemaView {
  readonly type: readonly Segment[]
  /** What limits it: "at most 20 characters", "default 1". */
  readonly facts: readonly string[]
  readonly description: string
  readonly deprecated: boolean
  readonly members: readonly Member[]
  /** It only names a schema without members, and its facts say what that is. */
  readonly isLeaf?: boolean
  /** Its members are those of the schemas that its type names, too. */
  readonly isMerged?: boolean
}

/** A property, or another part of a schema. */
export interface Member {
  readonly name: string
  readonly required: boolean
  readonly view: SchemaView
}

export interface Example {
  readonly name: string
  readonly text: string
}

export interface Media {
  readonly type: string
  readonly view: SchemaView | null
  readonly examples: readonly Example[]
  /** A value that follows from the schema, as it is sent; null where none was made. */
  readonly sample: string | null
}

export interface Parameter {
  readonly name: string
  /** Where it is: "query", "path", "header", "cookie". */
  readonly place: string
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string
  readonly view: SchemaView | null
  readonly examples: readonly Example[]
  /** A value for it as a text; null where none was made. */
  readonly sample: string | null
}

export interface Response {
  readonly status: string
  readonly description: string
  readonly headers: readonly Parameter[]
  readonly media: readonly Media[]
}

/** A server with the variables of its address. */
export interface Server {
  readonly url: string
  readonly description: string
  readonly variables: readonly {
    readonly name: string
    readonly value: string
    readonly choices: readonly string[]
    readonly description: string
  }[]
}

export interface OperationEntry {
  /** Of its place on a page of all operations: unique, and the same for the same method and path. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly isWebhook: boolean
  readonly summary: string
  readonly operationId: string
  readonly description: string
  readonly deprecated: boolean
  readonly parameters: readonly Parameter[]
  readonly body: { readonly required: boolean; readonly description: string; readonly media: readonly Media[] } | null
  readonly responses: readonly Response[]
  /** Alternatives of credentials; empty where none are needed. */
  readonly security: readonly string[]
  /** The same as names of security schemes. */
  readonly schemes: readonly (readonly string[])[]
  /** Those that it has instead of the servers of the document. */
  readonly servers: readonly Server[]
  /** Requests that the API sends while or after it runs: the name, where it is sent, and what. */
  readonly callbacks: readonly {
    readonly name: string
    readonly to: string
    readonly operation: OperationEntry
  }[]
  /** Samples that the document brings along (`x-codeSamples`). */
  readonly ownSamples: readonly { readonly label: string; readonly source: string }[]
}

export interface NamedSchema {
  readonly id: string
  readonly name: string
  readonly view: SchemaView
}

export interface SecurityScheme {
  readonly name: string
  /** In words: "http: bearer". */
  readonly kind: string
  readonly description: string
  readonly type: string
  /** Of `http`: "basic", "bearer"; else "". */
  readonly scheme: string
  /** Of `apiKey`: what carries it, and the place of that; else "". */
  readonly carrier: string
  readonly place: string
}

/** An operation in the table of contents. */
export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly operationId: string
  readonly isWebhook: boolean
  readonly deprecated: boolean
}

/** The part "index": what the API is, and the names of everything else. */
export interface ReaderIndex {
  /** Of the content and of the program that read it: parts of equal stamps belong together. */
  readonly stamp: string
  readonly title: string
  readonly version: string
  readonly summary: string
  readonly description: string
  readonly servers: readonly Server[]
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly security: readonly SecurityScheme[]
  /** In the order of their parts "operation-0", "operation-1". */
  readonly operations: readonly ListedOperation[]
  /** Consecutive operations of a tag, or of a path where there are no tags. */
  readonly groups: readonly { readonly name: string; readonly description: string; readonly count: number }[]
  /** In the order of their parts "schema-0", "schema-1". */
  readonly schemas: readonly string[]
}

/** A part "operation-0". */
export interface OperationPart {
  readonly stamp: string
  readonly operation: OperationEntry
}

/** A part "schema-0". */
export interface SchemaPart {
  readonly stamp: string
  readonly schema: NamedSchema
  /** The operations that name it, as indexes; at most 100. */
  readonly usedBy: readonly number[]
}

/**
 * A part "words-p": the words of all texts that begin with a letter or digit ("words-_" for any other), and where each
 * is: four times the index of the operation, or of the schema after all operations, and its weight from 1 to 3.
 */
export type WordsPart = Readonly<Record<string, readonly number[]>>

/** The part "changes": what changed in the newest versions that the reader may see. */
export interface ChangesPart {
  readonly versions: readonly {
    readonly label: string
    readonly published_at: string
    readonly headline: string
    /** Markdown. */
    readonly text: string
    /** The documentation of that version. */
    readonly page: string
  }[]
}

/** Separates the parts of a `multipart/form-data` sample. */
export const multipartBoundary = 'part-boundary'

/** Words that say too little to be found by. */
export const silentWords: ReadonlySet<string> = new Set(
  'a an and are as at be by can for from has if in is it its no not of on or that the this to was will with you your'.split(
    ' ',
  ),
)

/** The words of a text in small letters, each once: "PaymentIntent" is found by itself, "payment" and "intent". */
export function wordsOf(text: string): string[] {
  const found = new Set<string>()
  for (const [run] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const parts = run.includes('_') || /\p{Ll}\p{Lu}/u.test(run) ? run.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u) : []
    for (const word of [run, ...parts]) {
      const small = word.toLowerCase()
      if (small.length > 1 && small.length <= 40 && !silentWords.has(small)) found.add(small)
    }
  }
  return [...found]
}

/** The part that a word is in. */
export const shardOf = (word: string): string => (/^[a-z0-9]/.test(word) ? `words-${word[0]}` : 'words-_')
