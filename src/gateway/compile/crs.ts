/**
 * The OWASP Core Rule Set: its includes, groups that are off or only log, and how a group is removed for one request. Version 4 has a tag
 * for each group. Version 3.3, which Debian ships for ModSecurity, has none, so there its groups are named by the numbers of their
 * rules, whose first three digits are those of the file.
 */
import { effectiveMode, type GroupId, groupIds, groupOf, levelsOf, type Policy } from '../../gateway-policy/door.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Setting } from './model.ts'
import { chain, Ids } from './seclang.ts'

const group = (id: GroupId) => {
  const found = groupOf(id)
  if (found === undefined) throw new RangeError(id)
  return found
}

/** The numbers of the rules of version 3.3.4, without the first three digits, by file. */
const version3: Readonly<Record<string, string>> = {
  '911': '100',
  '913': '100 101 102 110 120',
  '920':
    '100 120 121 160 170 171 180 181 190 200 201 202 210 220 230 240 250 260 270 271 272 273 274 275 280 290 300 310 311 320 330 340 341 350 360 370 380 390 400 410 420 430 440 450 460 470 480 490 500 510 530 600 620',
  '921': '110 120 130 140 150 151 160 170 180 190 200 230 421 422',
  '922': '100 110 120 140 150',
  '930': '100 110 120 130',
  '931': '100 110 120 130',
  '932': '100 105 106 110 115 120 130 140 150 160 170 171 180 190 200',
  '933': '100 110 111 120 130 131 140 150 151 160 161 170 180 190 200 210',
  '934': '100',
  '941':
    '100 101 110 120 130 140 150 160 170 180 190 200 210 220 230 240 250 260 270 280 290 300 310 320 330 340 350 360 370 380',
  '942':
    '100 101 110 120 130 140 150 160 170 180 190 200 210 220 230 240 250 251 260 270 280 290 300 310 320 330 340 350 360 361 370 380 390 400 410 420 421 430 431 432 440 450 460 470 480 490 500 510 511',
  '943': '100 110 120',
  '944': '100 110 120 130 200 210 240 250 300',
  '950': '020 021 022 100 130 140',
  '951': '100 110 120 130 140 150 160 170 180 190 200 210 220 230 240 250 260',
  '952': '100 110',
  '953': '100 110 120',
  '954': '100 110 120 130',
}

/** Numbers of rules of a group, in version 3.3.4. */
export const version3Rules = (id: GroupId): readonly string[] =>
  group(id).files.flatMap((file) =>
    (version3[file] ?? '')
      .split(' ')
      .filter(Boolean)
      .map((it) => file + it),
  )

/** The group that a rule of the rule set belongs to; undefined for rules that set up or evaluate. */
export const groupOfRule = (rule: string): GroupId | undefined =>
  /^\d{6}$/.test(rule) ? groupIds.find((id) => group(id).files.includes(rule.slice(0, 3))) : undefined

/** Actions that take a whole group out of one request. */
export const removeGroup = (id: GroupId, dialect: Dialect): string[] => {
  const byTag = group(id).tags.map((tag) => `ctl:ruleRemoveByTag=${tag}`)
  return dialect.ruleSet.version === 3
    ? [...byTag, ...group(id).files.map((it) => `ctl:ruleRemoveById=${it}000-${it}999`)]
    : byTag
}

/** Actions that take one target out of a group for one request. */
export const removeTarget = (id: GroupId, target: string, dialect: Dialect): string[] => {
  const byTag = group(id).tags.map((tag) => `ctl:ruleRemoveTargetByTag=${tag};${target}`)
  if (dialect.ruleSet.version !== 3) return byTag
  return [...byTag, ...version3Rules(id).map((rule) => `ctl:ruleRemoveTargetById=${rule};${target}`)]
}

/** Where the rule set is. */
export function folderOf(dialect: Dialect, crs: string): string {
  if (crs !== 'bundled') return crs.replace(/\/+$/, '')
  return dialect.ruleSet.folder
}

const scores = {
  REQUEST: { names: ['inbound_anomaly_score_pl', 'anomaly_score_pl'], phases: [1, 2] },
  RESPONSE: { names: ['outbound_anomaly_score_pl'], phases: [3, 4] },
} as const

/** Keeps the scores before a file and puts them back after it: its rules report and add nothing. */
function aroundFile(side: keyof typeof scores, dialect: Dialect, ids: Ids): { before: string; after: string } {
  const { names, phases } = scores[side]
  const used = names.filter((it) => dialect.ruleSet.version === 3 || it !== 'anomaly_score_pl')
  const pairs = used.flatMap((name, set) =>
    [1, 2, 3, 4].map((level) => ({ own: `svc_keep_${set}_${level}`, score: name + level })),
  )
  const write = (then: readonly string[]) =>
    phases.map((phase) => chain({ id: ids.take(), phase, links: [], actions: ['pass', 'nolog'], then })).join('')
  return {
    before: write(pairs.map(({ own, score }) => `setvar:tx.${own}=%{tx.${score}}`)),
    after: write(pairs.map(({ own, score }) => `setvar:tx.${score}=%{tx.${own}}`)),
  }
}

/** The files of both versions in the order of their names, as far as a group or the evaluation needs them. */
const files = [
  ...[
    '901',
    '905',
    '911',
    '913',
    '920',
    '921',
    '922',
    '930',
    '931',
    '932',
    '933',
    '934',
    '941',
    '942',
    '943',
    '944',
    '949',
    '999',
  ].map((number) => ({ number, side: 'REQUEST' as const })),
  ...['950', '951', '952', '953', '954', '955', '956', '959', '980'].map((number) => ({
    number,
    side: 'RESPONSE' as const,
  })),
]
const onlyInVersion4 = ['955', '956', '999']

/** The directives that load the rule set, with the groups in log mode enclosed. */
export function includes(policy: Policy, dialect: Dialect, crs: string): string {
  if (policy.presets.tier === 'off') return ''
  const folder = folderOf(dialect, crs)
  const logged = new Set(
    groupIds
      .filter((id) => /^(?:log|challenge)$/.test(effectiveMode(policy, id).mode))
      .flatMap((id) => group(id).files),
  )
  if (logged.size === 0) return `Include ${folder}/*.conf\n`
  const ids = new Ids('setup')
  ids.back(10_100)
  const isOld = isVersion3(dialect, crs)
  return files
    .filter(({ number }) => !isOld || !onlyInVersion4.includes(number))
    .map(({ number, side }) => {
      const include = `Include ${folder}/${side}-${number}-*.conf\n`
      if (!logged.has(number)) return include
      const { before, after } = aroundFile(side, dialect, ids)
      return before + include + after
    })
    .join('')
}

/** Whether the rule set is the one that Debian ships for ModSecurity. */
export const isVersion3 = (dialect: Dialect, crs: string): boolean => dialect.ruleSet.version === 3 && crs === 'bundled'

/** The directives after the includes that take out the groups that are off. */
export const groupsOff = (policy: Policy, dialect: Dialect): string =>
  policy.presets.tier === 'off'
    ? ''
    : groupIds
        .filter((id) => effectiveMode(policy, id).mode === 'off')
        .map((id) => {
          const { tags, files: own } = group(id)
          const byTag = tags.map((tag) => `SecRuleRemoveByTag "${tag}"\n`)
          const byId = dialect.ruleSet.version === 3 ? own.map((it) => `SecRuleRemoveById ${it}000-${it}999\n`) : []
          return `# ${id}\n${[...byTag, ...byId].join('')}`
        })
        .join('')

/** Whether some group that reads responses is in use. */
export const readsResponses = (policy: Policy): boolean =>
  groupIds.some((id) => group(id).readsResponses && effectiveMode(policy, id).mode !== 'off')

function groupSetting(policy: Policy, id: GroupId, dialect: Dialect, isOld: boolean): Setting {
  const setting = `group:${id}`
  const { mode } = effectiveMode(policy, id)
  if (mode === 'off') return { setting, state: 'enforced', reason: null }
  if (mode === 'challenge')
    return {
      setting,
      state: 'not-enforced',
      reason: 'The engine cannot send a challenge; what its rules find is logged.',
    }
  if (isOld && version3Rules(id).length === 0)
    return { setting, state: 'not-enforced', reason: 'The rule set 3.3 has no rules of this group.' }
  if (isOld && id === 'generic')
    return { setting, state: 'approximated', reason: 'Of this group the rule set 3.3 has one rule, for Node.js.' }
  if (isOld && id === 'data-leak')
    return { setting, state: 'approximated', reason: 'The rule set 3.3 has no rules for Ruby in this group.' }
  if (dialect.doubt !== null) return { setting, state: 'approximated', reason: dialect.doubt }
  return { setting, state: 'enforced', reason: null }
}

/** What the tier and the managed groups come to. */
export function managedSettings(policy: Policy, dialect: Dialect, crs: string): Setting[] {
  const isOld = isVersion3(dialect, crs)
  const reason = isOld
    ? 'The rule set 3.3 of Debian has fewer rules than 4.25, with which the tiers were measured.'
    : dialect.doubt
  const isOff = levelsOf(policy.presets).blocking === 0
  const state = reason === null || isOff ? 'enforced' : 'approximated'
  return [
    { setting: 'tier', state, reason: isOff ? null : reason },
    ...groupIds.map((id) => groupSetting(policy, id, dialect, isOld)),
  ]
}
