/**
 * Words to avoid in what people read, each with the words that an API engineer expects there. The list is short on
 * purpose: good English is not banned, and a sentence that must be read twice is rewritten, not its words replaced.
 */
export interface Avoided {
  /** Matches in any case; the whole match is what the report shows. */
  readonly pattern: RegExp
  readonly better: string
  /** Whether comments of programs avoid it too. */
  readonly inComments: boolean
}

const word = (source: string, better: string): Avoided => ({
  pattern: new RegExp(source, 'giu'),
  better,
  inComments: true,
})
/** A word that is right where programmers read: an identifier, or a term of code. */
const wordOfTexts = (source: string, better: string): Avoided => ({ ...word(source, better), inComments: false })

export const avoided: readonly Avoided[] = [
  // Riddles and old forms
  word(String.raw`\blies?\b|\blay in\b`, '"is"; for a reference: "refers to", "is in"'),
  word(String.raw`(?<![-\w])(stands?|stood)\b(?!-)`, '"is", "is written", "appears"'),
  word(String.raw`\btold\b|\btells? (of|that|what|how|whether|which|about)\b`, '"reported", "shows", "says"'),
  word(String.raw`\bmend(s|ed|ing)?\b`, '"fix", "fixed"'),
  word(String.raw`\bunfold(s|ed|ing)?\b`, '"decompress", "expand"'),
  word(String.raw`\bjudg(e|es|ed|ing)\b`, '"check", "evaluate", "compare"'),
  word(String.raw`\bgiv(e|es|ing) (it|them|this|that) up\b`, '"discard", "cancel", "stop"'),
  word(String.raw`\bcomes? to nothing\b|\bcame to nothing\b`, '"failed"'),
  word(String.raw`\bas (it|they) writes? (itself|themselves)\b`, '"exactly as in …"'),
  word(String.raw`\bvouch(es|ed)?\b|\bforetold\b|\bforetell\b`, '"guarantee", "predicted"'),
  word(String.raw`\bpromis(e|es|ed|ing)\b`, '"guarantee", "the API contract"'),
  word(String.raw`\bdissents?\b`, '"known difference"'),
  word(String.raw`\brulebooks?\b`, '"ruleset", "rule configuration"'),
  word(String.raw`\bhouses?\b`, '"project", "organization", "team"'),
  word(String.raw`\bfaults? of (svc|the)\b`, '"internal error", "bug in svc"'),
  word(String.raw`\bby meaning\b`, '"semantic search"'),
  word(String.raw`\bdissenting\b`, '"different"'),

  word(String.raw`\bleads? nowhere\b|\bleads? somewhere\b`, '"cannot be resolved", "resolves"'),
  word(String.raw`\bgiv(e|es|ing) (its|their) (jobs?|cursors?) back\b`, '"release", "return"'),

  // Sentences that say what is wrong in a way of their own
  word(String.raw`\bknows? (nothing|no)\b|\bknew nothing\b`, '"does not know", "unknown …"'),
  word(String.raw`\b(not|but) so:`, '"Incorrect:", "Correct:"'),
  word(
    String.raw`\bis expected here\b|\bare expected here\b|\bexpected here\b`,
    '"must be …" with the name of the property',
  ),
  word(String.raw`\b(text|list|mapping|number) is expected\b`, '"must be a string (array, object, number)"'),
  word(
    String.raw`\bno meaning here\b|\bnot possible here\b|\bpossible here\b`,
    '"unknown property", "unknown value", "not allowed"',
  ),
  word(
    String.raw`\b(rules?|guides?|servers?|service|schemas?|svc|specification|documents?|tools?|svc|it|spectral) wants?\b`,
    '"requires", "expects"',
  ),
  word(
    String.raw`\b(rules?|guides?|documents?|ruleset|version) (has|have) (nothing|something|anything) to say\b|\banything to say\b|\bnothing to say\b`,
    '"reports nothing", "no findings"',
  ),
  word(String.raw`\bpeople who say\b|\bsays? yes\b`, '"approve"'),

  // One word for a thing
  wordOfTexts(String.raw`\bwitness(es)?\b`, '"counterexample"'),
  word(String.raw`\bword(s)? (for|in (its|the)) address(es)?\b`, '"slug"'),
  word(
    String.raw`\b(make|makes|made|making) (a|an|the|this|another|its|new) (new )?(tenant|organization|key|keys|link|invitation|draft|snapshot|pack|project|account|user|token|api key)\b`,
    '"create"',
  ),
  wordOfTexts(
    String.raw`(?<![-\w/{<$.]|auth |svc |--tenant acme )tenants?\b(?![-/}>:_.]\w|=| (?:audit|create|delete|editing|export|import|license|list|second-factor|show|transfer)\b)`,
    '"organization" (options, paths and codes keep tenant)',
  ),
]

/** A right use of an avoided word. `text` is a part of the line where it occurs; an entry that excuses nothing has to go. */
export interface Allowed {
  readonly path: string
  readonly text: string
  readonly reason: string
}

export const allowed: readonly Allowed[] = [
  {
    path: 'docs/reference/commands/type.md',
    text: 'standard, core, tenant',
    reason: 'the name of a scope, which the API has',
  },
  { path: 'src/types/builtin/codes.ts', text: 'LIE', reason: 'the code of Liechtenstein' },
  { path: 'db/migrations/released.json', text: '"tenants"', reason: 'the name of a table, which people do not read' },
]
