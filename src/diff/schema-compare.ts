import { isObject } from '../document/json.ts'
import type { Json } from '../document/json.ts'
import { compareDocs } from './docs.ts'
import type { Fact } from './fact.ts'
import type { Profile } from './profile.ts'
import { settle } from './profile.ts'
import type { Sameness } from './sameness.ts'
import type { Topic } from './rules.ts'
import type { SchemaPair, Statement } from './schema-pair.ts'
import { SchemaEntry } from './schema-entry.ts'
import { compareChoice } from './schema-choice.ts'
import { compareConventions } from './schema-conventions.ts'
import { compareObjects } from './schema-objects.ts'
import { compareUnions } from './schema-unions.ts'
import { compareWords } from './schema-words.ts'
import { innerUse } from './schemas.ts'
import type { Judgement, Schemas, Use } from './schemas.ts'
import { pointerOf, textAt } from './side.ts'
import type { Place, Side } from './side.ts'
import { subjectOf } from './describe.ts'
import { isStructural } from './structural.ts'
import { viewOf } from './view.ts'

const safe: Judgement = { verdict: 'safe', witness: null, reason: null }

/**
 * Compares schemas pair by pair. Containment of the whole decides; the statements of the parts say why. Where the whole is
 * contained, nothing below can be breaking; where it is not and no part explains it, the pair itself is the change.
 */
export class SchemaComparer {
  private readonly entries = new Map<string, SchemaEntry>()
  readonly schemas: Schemas
  private readonly base: Side
  private readonly head: Side
  private readonly sameness: Sameness
  private readonly profile: Profile

  constructor(base: Side, head: Side, sameness: Sameness, schemas: Schemas, profile: Profile) {
    this.base = base
    this.head = head
    this.sameness = sameness
    this.schemas = schemas
    this.profile = profile
  }

  /**
   * The entry of a pair of schemas; null where nothing differs. `masked`: a wider comparison has proven it safe; `unsent`:
   * the property that they describe is not sent in this direction.
   */
  compare(
    base: readonly Place[],
    head: readonly Place[],
    use: Use,
    masked = false,
    unsent = false,
  ): SchemaEntry | null {
    const a = base.map((place) => this.base.follow(this.withSiblings(this.base, place)))
    const b = head.map((place) => this.head.follow(this.withSiblings(this.head, place)))
    if (a.length === b.length && a.every((place, i) => this.sameness.same(place.value, b[i]!.value))) return null
    const key = [
      use.direction,
      use.fromClient,
      use.textual,
      use.text?.base,
      use.text?.head,
      use.always,
      use.xml,
      masked,
      unsent,
      ...a.map((it) => pointerOf(it.path)),
      '→',
      ...b.map((it) => pointerOf(it.path)),
    ].join(' ')
    const known = this.entries.get(key)
    if (known) return known
    const entry = new SchemaEntry()
    this.entries.set(key, entry)
    this.work(entry, a, b, use, masked, unsent)
    entry.done = true
    return entry
  }

  /** A `$ref` with siblings that count is no mere name. */
  private withSiblings(side: Side, place: Place): Place {
    const modern = side.dialect === '2020-12' || side.dialect === '2019-09'
    if (!modern || !isObject(place.value) || place.value.$ref === undefined) return place
    const others = Object.keys(place.value).some((key) => key !== '$ref' && key !== 'description' && key !== 'summary')
    return others ? { value: { allOf: [place.value] }, path: place.path } : place
  }

  private work(
    entry: SchemaEntry,
    base: readonly Place[],
    head: readonly Place[],
    use: Use,
    masked: boolean,
    unsent: boolean,
  ): void {
    const equal = this.schemas.equal(base, head, use.direction)
    let whole: Judgement = safe
    let hidden = true
    let identical: boolean | null = equal ? true : null
    const pair: SchemaPair = {
      base: viewOf(this.base, base),
      head: viewOf(this.head, head),
      use,
      profile: this.profile,
      schemas: this.schemas,
      sides: { base: this.base, head: this.head },
      identical: () => {
        identical ??= whole.verdict === 'safe' && this.schemas.identical(base, head, use.direction)
        return identical
      },
      subject: (path, inHead) => subjectOf(path, (at) => textAt((inHead ? this.head : this.base).at(at), 'name')),
      state: (statement) =>
        this.state(entry, unsent ? { ...statement, unsent } : statement, use, hidden, whole, base, head),
      below: (a, b, ignored = false) => {
        const child = this.compare(a, b, innerUse(use), hidden || ignored, ignored)
        if (!child) return
        entry.children.push(child)
        if (child.alarming || !child.done) entry.alarming = true
      },
    }
    if (!masked && !equal) {
      if (!this.schemas.options.strict && isStructural(pair)) hidden = false
      else {
        whole = this.schemas.judge(base, head, use)
        hidden = whole.verdict === 'safe' && whole.vacuous !== true
      }
    }
    compareDocs(pair)
    if (!compareChoice(pair)) {
      compareWords(pair, equal)
      compareObjects(pair)
      compareUnions(pair)
    }
    compareConventions(pair)
    if (whole.verdict !== 'safe' && !entry.alarming) {
      entry.alarming = true
      this.push(
        entry,
        {
          kind: 'itself',
          action: 'changed',
          base: base[0]?.path ?? null,
          head: head[0]?.path ?? null,
          before: plain(base),
          after: plain(head),
        },
        use,
        whole,
      )
    }
  }

  private state(
    entry: SchemaEntry,
    statement: Statement,
    use: Use,
    hidden: boolean,
    whole: Judgement,
    base: readonly Place[],
    head: readonly Place[],
  ): void {
    const { judge, docs, always, policy, ...rest } = statement
    if (docs) {
      this.push(entry, rest, use, { verdict: 'docs', witness: null, reason: null })
      return
    }
    let judgement = (hidden && !always) || !judge ? safe : judge()
    // A part that cannot be decided alone is safe when the whole was decided.
    if (judgement.verdict === 'unknown' && whole.verdict === 'breaking') {
      judgement = { verdict: 'breaking', witness: whole.witness, reason: judgement.reason }
    }
    const stance = policy ? this.profile.stances[policy] : 'judge'
    const verdict = settle(judgement.verdict, stance)
    if (verdict === 'safe' && stance === 'safe' && judgement.verdict !== 'safe') entry.alarming = true
    if (verdict === judgement.verdict) this.push(entry, rest, use, this.refined(judgement, use, base, head))
    else this.push(entry, { ...rest, policy: policy! }, use, { verdict, witness: null, reason: `policy ${policy}` })
  }

  /** The witness of a part, made one of the whole pair: what else the schema asks has to hold for it too. */
  private refined(judgement: Judgement, use: Use, base: readonly Place[], head: readonly Place[]): Judgement {
    if (judgement.verdict !== 'breaking' || !judgement.refusing) return judgement
    const witness = this.schemas.witnessOf(base, head, use, judgement.refusing, judgement.sent)
    return { ...judgement, witness: witness ?? judgement.witness }
  }

  private push(
    entry: SchemaEntry,
    rest: Omit<Statement, 'judge' | 'docs' | 'always' | 'policy'> & { readonly policy?: string },
    use: Use,
    { verdict, witness, reason }: Pick<Fact, 'verdict' | 'witness' | 'reason'>,
  ): void {
    if (verdict === 'breaking' || verdict === 'unknown') entry.alarming = true
    const { subject, ...others } = rest
    const place = rest.head ?? rest.base ?? []
    const docs = verdict === 'docs'
    entry.facts.push({
      ...others,
      ...topicOf(rest, docs),
      direction: docs ? null : use.direction,
      ...(use.textual ? { textual: true } : {}),
      subject: subject ?? subjectOf(place, (path) => textAt((rest.head ? this.head : this.base).at(path), 'name')),
      verdict,
      witness,
      reason,
    })
  }
}

// What is text for readers is a change of the document.
const topicOf = ({ kind, action }: Pick<Statement, 'kind' | 'action'>, docs: boolean): Topic =>
  ({ area: docs ? 'document' : 'schema', kind, action }) as Topic

const plain = (places: readonly Place[]): Json =>
  places.length === 1 ? places[0]!.value : places.map((place) => place.value)
