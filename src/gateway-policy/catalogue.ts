/**
 * What a policy chooses from: the managed groups and tiers, as data. The rule counts are those of the OWASP Core Rule Set 4.25.0 by
 * paranoia level; the shares say which part of the rule set's own regression cases a tier blocks, which is not a measure of traffic.
 */

/** How strong a setting is, weakest first. */
export const groupModes = ['off', 'log', 'challenge', 'block'] as const
export type GroupMode = (typeof groupModes)[number]

export const groupIds = [
  'protocol',
  'scanner',
  'lfi',
  'rfi',
  'rce',
  'php',
  'java',
  'generic',
  'xss',
  'sqli',
  'session-fixation',
  'data-leak',
  'web-shell',
] as const
export type GroupId = (typeof groupIds)[number]

/** One managed group. */
export interface ManagedGroup {
  readonly id: GroupId
  readonly title: string
  readonly detects: string
  /** The files of the rule set that its rules are in. */
  readonly files: readonly string[]
  /** The tags that belong to this group alone. Tags such as `attack-rce` span groups and are never used. */
  readonly tags: readonly string[]
  /** How many rules there are at paranoia level 1, 2, 3 and 4. */
  readonly rulesByLevel: readonly [number, number, number, number]
  /** Whether it reads responses, so that the gateway has to hold them back. */
  readonly readsResponses: boolean
}

const group = (
  id: GroupId,
  title: string,
  detects: string,
  files: readonly string[],
  tags: readonly string[],
  rulesByLevel: readonly [number, number, number, number],
): ManagedGroup => ({
  id,
  title,
  detects,
  files,
  tags: tags.map((tag) => `OWASP_CRS/${tag}`),
  rulesByLevel,
  readsResponses: id === 'data-leak' || id === 'web-shell',
})

/** The thirteen managed groups, in the order in which the rule set applies them. */
export const managedGroups: readonly ManagedGroup[] = [
  group(
    'protocol',
    'Protocol',
    'requests that violate HTTP, smuggling, multipart tricks',
    ['911', '920', '921', '922'],
    ['METHOD-ENFORCEMENT', 'PROTOCOL-ENFORCEMENT', 'PROTOCOL-ATTACK', 'MULTIPART-ATTACK'],
    [56, 11, 8, 6],
  ),
  group('scanner', 'Scanners', 'security scanners by their names', ['913'], ['SCANNER-DETECTION'], [1, 0, 0, 0]),
  group('lfi', 'Local files', 'paths that lead to files of the server', ['930'], ['ATTACK-LFI'], [5, 1, 0, 0]),
  group('rfi', 'Remote files', 'addresses of files to include', ['931'], ['ATTACK-RFI'], [3, 2, 0, 0]),
  group('rce', 'Commands', 'commands of shells', ['932'], ['ATTACK-RCE'], [19, 19, 9, 0]),
  group('php', 'PHP', 'code and functions of PHP', ['933'], ['ATTACK-PHP'], [13, 3, 5, 0]),
  group('java', 'Java', 'Java classes, Log4Shell, deserialization', ['944'], ['ATTACK-JAVA'], [6, 6, 1, 1]),
  group(
    'generic',
    'Other injections',
    'server-side requests and templates, Node.js, NoSQL',
    ['934'],
    ['ATTACK-GENERIC'],
    [7, 4, 0, 0],
  ),
  group('xss', 'Cross-site scripting', 'scripts in values', ['941'], ['ATTACK-XSS'], [26, 7, 0, 0]),
  group('sqli', 'SQL injection', 'SQL in values', ['942'], ['ATTACK-SQLI'], [20, 31, 7, 2]),
  group(
    'session-fixation',
    'Session fixation',
    'session ids that a request plants',
    ['943'],
    ['ATTACK-SESSION-FIXATION'],
    [3, 0, 0, 0],
  ),
  group(
    'data-leak',
    'Data leaks',
    'error messages and source code in responses',
    ['950', '951', '952', '953', '954', '956'],
    [
      'DATA-LEAKAGES',
      'DATA-LEAKAGES-SQL',
      'DATA-LEAKAGES-JAVA',
      'DATA-LEAKAGES-PHP',
      'DATA-LEAKAGES-IIS',
      'DATA-LEAKAGES-RUBY',
    ],
    [28, 4, 0, 0],
  ),
  group('web-shell', 'Web shells', 'pages of known web shells in responses', ['955'], ['WEB-SHELLS'], [26, 1, 0, 0]),
]

const byId: ReadonlyMap<string, ManagedGroup> = new Map(managedGroups.map((it) => [it.id, it]))

/** The group of an id; undefined for an unknown one. */
export const groupOf = (id: string): ManagedGroup | undefined => byId.get(id)

export const tierIds = ['off', 'basic', 'standard', 'strict'] as const
export type TierId = (typeof tierIds)[number]

/** What a tier means in the engine. */
export interface Tier {
  readonly id: TierId
  /** Rules up to this paranoia level add to the score of a request. */
  readonly blockingLevel: number
  /** Rules up to this level report, so that a stricter tier can be tried on what was recorded. */
  readonly detectionLevel: number
  /** The score at which a request is refused. */
  readonly threshold: number
  /** Share of the rule set's own attack cases that it blocks, in percent. */
  readonly attacksBlocked: number
}

export const tiers: Readonly<Record<TierId, Tier>> = {
  off: { id: 'off', blockingLevel: 0, detectionLevel: 0, threshold: 0, attacksBlocked: 0 },
  basic: { id: 'basic', blockingLevel: 1, detectionLevel: 1, threshold: 10, attacksBlocked: 24.6 },
  standard: { id: 'standard', blockingLevel: 1, detectionLevel: 2, threshold: 5, attacksBlocked: 69.4 },
  strict: { id: 'strict', blockingLevel: 2, detectionLevel: 3, threshold: 5, attacksBlocked: 88.4 },
}

export const highestLevel = 4

/** The mode of a group that has none of its own: groups that read responses are on in the strictest tier alone. */
export function catalogueDefault(id: GroupId, tier: TierId): 'block' | 'off' {
  if (tier === 'off') return 'off'
  return groupOf(id)?.readsResponses === true && tier !== 'strict' ? 'off' : 'block'
}

/** Rules of a group up to a paranoia level. */
export const rulesUpTo = (it: ManagedGroup, level: number): number =>
  it.rulesByLevel.slice(0, level).reduce((sum, count) => sum + count, 0)
