import type { Json } from '../kernel/json.ts'
import type { Witness } from './change.ts'
import { Collector } from './collector.ts'
import { describePlace } from './describe.ts'
import { isDocsWord } from './docs-words.ts'
import type { Fact } from './fact.ts'
import type { Topic } from './rules.ts'
import { settle } from './profile.ts'
import type { Policy, Profile } from './profile.ts'
import { isSameValue } from './sameness.ts'
import type { Sameness } from './sameness.ts'
import { SchemaComparer } from './schema/compare.ts'
import { objectAt, textAt } from './side.ts'
import type { PlacedValue, Side } from './side.ts'

/** A difference outside of schemas. `breaking` says whether it is one; absent it is safe. */
export type Note = Topic & NoteRest

interface NoteRest {
  readonly direction: Fact['direction']
  readonly base: PlacedValue | null
  readonly head: PlacedValue | null
  readonly subject: string
  readonly before?: Json
  readonly after?: Json
  readonly breaking?: boolean
  readonly undecided?: boolean
  /** It is about the text alone. */
  readonly docs?: boolean
  readonly reason?: string
  /** What its sentence ends with, between brackets. */
  readonly remark?: string
  readonly witness?: Witness | null
  readonly policy?: Policy
}

/** What is added and removed under a name. */
export type NamedArea = 'tool' | 'prompt' | 'resource' | 'remote' | 'package' | 'workflow'

const topicOf = ({ area, kind, action }: Topic): Topic => ({ area, kind, action }) as Topic

/** What every part of a comparison of API descriptions shares. */
export class Context {
  readonly collector = new Collector()
  readonly base: Side
  readonly head: Side
  readonly sameness: Sameness
  readonly schemas: SchemaComparer
  readonly profile: Profile
  /** The day to evaluate sunsets by, as "2026-01-31"; null when no one said. */
  readonly asOf: string | null

  constructor(
    base: Side,
    head: Side,
    sameness: Sameness,
    schemas: SchemaComparer,
    profile: Profile,
    asOf: string | null,
  ) {
    this.base = base
    this.head = head
    this.sameness = sameness
    this.schemas = schemas
    this.profile = profile
    this.asOf = asOf
  }

  /** A context of the same documents that gathers what is found in it apart. */
  apart(): Context {
    const { base, head, sameness, profile, asOf } = this
    const schemas = new SchemaComparer(base, head, sameness, this.schemas.schemas, profile)
    return new Context(base, head, sameness, schemas, profile, asOf)
  }

  note(operation: string | null, note: Note): void {
    const raw = note.undecided ? 'unknown' : note.breaking ? 'breaking' : 'safe'
    const judged = note.policy ? settle(raw, this.profile.stances[note.policy]) : raw
    const verdict = note.docs ? 'docs' : judged
    this.collector.add(
      {
        ...topicOf(note),
        direction: note.direction,
        base: note.base?.path ?? null,
        head: note.head?.path ?? null,
        before: note.before ?? null,
        after: note.after ?? null,
        subject: note.subject,
        verdict,
        reason: note.reason ?? (judged === raw || !note.policy ? null : `policy ${note.policy}`),
        witness: note.witness ?? null,
        ...(note.remark === undefined ? {} : { remark: note.remark }),
        ...(judged !== raw && note.policy ? { policy: note.policy } : {}),
      },
      operation === null ? [] : [operation],
    )
  }

  /** Notes that something with a name is there on one side only: clients lose what was taken away. */
  appeared(area: NamedArea, name: string, base: PlacedValue | undefined, head: PlacedValue | undefined): void {
    this.note(name, {
      direction: null,
      area,
      kind: 'itself',
      action: base ? 'removed' : 'added',
      base: base ?? null,
      head: head ?? null,
      subject: `${area} \`${name}\``,
      before: base ? name : null,
      after: head ? name : null,
      breaking: base !== undefined,
    })
  }

  /** Notes the edits of explaining text at a pair of places. */
  docs(
    operation: string | null,
    base: PlacedValue | null,
    head: PlacedValue | null,
    also: readonly string[] = [],
  ): void {
    if (!base || !head || base.value === head.value) return
    const a = objectAt(base)
    const b = objectAt(head)
    const isEdited = (word: string): boolean =>
      (isDocsWord(word) || also.includes(word)) && !isSameValue(a[word], b[word])
    const words = new Set<string>()
    for (const word in a) if (isEdited(word)) words.add(word)
    for (const word in b) if (isEdited(word)) words.add(word)
    for (const word of [...words].sort()) {
      this.collector.add(
        {
          direction: null,
          area: 'document',
          kind: 'documentation',
          action: a[word] === undefined ? 'added' : b[word] === undefined ? 'removed' : 'changed',
          base: a[word] === undefined ? null : [...base.path, word],
          head: b[word] === undefined ? null : [...head.path, word],
          before: a[word] ?? null,
          after: b[word] ?? null,
          subject: `the \`${word}\` of ${describePlace(head.path, (path) => textAt(this.head.at(path), 'name'))}`,
          verdict: 'docs',
          reason: null,
          witness: null,
        },
        operation === null ? [] : [operation],
      )
    }
  }
}
