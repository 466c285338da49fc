/** The shape of `svc.yaml`, from which its published JSON Schema is made. */
import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox'
import { bodyOf, oneOf, titled } from '../kernel/shapes.ts'
import { changeSeverities } from '../diff/change.ts'
import { profiles } from '../diff/profile.ts'
import { severities } from '../lint/finding.ts'
import { gradeLetters } from '../lint/grade.ts'

/** Names of APIs and profiles; "@" and "." are for names with a version: "shop@v2". */
export const namePattern = '^[A-Za-z0-9][A-Za-z0-9_.@-]*$'

const named = <T extends TProperties[string]>(items: T, description: string) =>
  Type.Record(Type.String({ pattern: namePattern }), items, { additionalProperties: false, description })

const file = (description: string) => Type.String({ minLength: 1, description })
const globs = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description, uniqueItems: true })

// YAML 1.1 reads `off` as false; both mean the same.
const level = titled(
  'Level',
  Type.Union([oneOf([...severities, 'warn', 'off']), Type.Boolean()], {
    description: 'A severity; "off" or false turns the rule off, true turns it on.',
  }),
)

const rules = Type.Record(Type.String({ minLength: 1 }), level, {
  description: 'Severities of rules by their ids, over those of the guide.',
})

const override = bodyOf({
  files: globs('Globs of files, relative to this file; FILE#/POINTER for one place.'),
  rules,
})

const accepted = bodyOf({
  match: Type.String({ minLength: 1, description: 'A change rule, or the fingerprint of a change.' }),
  reason: Type.String({ minLength: 1 }),
  until: Type.Optional(Type.String({ description: 'The last day on which it holds, such as 2027-01-31.' })),
})

const comparing = bodyOf({
  config: Type.Optional(file('A file with profile, severity and ignore, as svc-diff.yaml has them.')),
  failOn: Type.Optional(
    oneOf([...changeSeverities, 'none'], 'The mildest change that fails "svc check" (default: breaking).'),
  ),
  profile: Type.Optional(
    oneOf(Object.keys(profiles), 'The policy for changes that not everyone considers breaking (default: standard).'),
  ),
  severity: Type.Optional(
    Type.Record(Type.String(), oneOf(changeSeverities), { description: 'Severities of changes by their rules.' }),
  ),
  ignore: Type.Optional(Type.Array(accepted, { description: 'Accepted changes.' })),
  allowUnknown: Type.Optional(Type.Boolean({ description: 'Undecided changes do not fail.' })),
})

/** What can be said for all APIs, for one API, and in a profile. */
const settings = {
  guide: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'The style guide: svc:recommended (default), spectral:oas, a ruleset (file or address), or the name of a stored guide.',
    }),
  ),
  rules: Type.Optional(rules),
  overrides: Type.Optional(Type.Array(override, { description: 'Severities of rules for some files or places.' })),
  ignore: Type.Optional(
    globs('Globs of files whose findings are not reported, relative to this file; FILE#/POINTER for one place.'),
  ),
  allowSkipped: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      uniqueItems: true,
      description:
        'Rules and rulesets by their names that may be skipped where they cannot be used; any other one fails the run.',
    }),
  ),
  failOn: Type.Optional(oneOf([...severities, 'none'], 'Fail on findings of this severity or worse (default: error).')),
  minGrade: Type.Optional(oneOf(gradeLetters, 'Fail below this grade.')),
  baseline: Type.Optional(file('Known findings, as "svc lint --write-baseline" writes them.')),
  waivers: Type.Optional(file('Temporary exceptions with owner, reason and expiry date.')),
  compareWith: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'What the API is compared with: git:REVISION (the same file there), git:REVISION:PATH, PROJECT@VERSION, @VERSION (of the project of the API), a file, an address, or none (default).',
    }),
  ),
  diff: Type.Optional(
    Type.Union([file('A file with profile, severity and ignore, as svc-diff.yaml has them.'), comparing], {
      description: 'How changes are evaluated.',
    }),
  ),
}

const project = Type.Optional(
  Type.String({ minLength: 1, description: 'The project (slug or id) that the API is on the service.' }),
)

const api = bodyOf({
  root: file('The document of the API, relative to this file.'),
  files: Type.Optional(globs('Globs of more files to which the settings of this API apply, relative to this file.')),
  project,
  overlays: Type.Optional(
    Type.Array(file('An overlay, relative to this file.'), {
      minItems: 1,
      uniqueItems: true,
      description: 'Overlays that are applied to the root, in this order, wherever the API is read.',
    }),
  ),
  ...settings,
})

const profile = bodyOf({
  ...settings,
  apis: Type.Optional(named(bodyOf({ project, ...settings }), 'What the profile changes for single APIs.')),
})

/** The whole file. */
export const ProjectFileShape = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'Ignored; editors read it.' })),
    version: Type.Optional(Type.Literal(1, { description: 'The version of this format.' })),
    ...settings,
    apis: named(
      Type.Union([file('The document of the API, relative to this file.'), api]),
      'The APIs of the repository by their names; a path alone is the root.',
    ),
    profiles: Type.Optional(named(profile, 'Settings by name, for --profile; they take precedence over all others.')),
  },
  { additionalProperties: false },
)

export type ProjectFileText = Static<typeof ProjectFileShape>
export type SettingsText = Static<TObject<typeof settings>>
export type ApiText = Static<typeof api>
export type ProfileText = Static<typeof profile>

/** The published JSON Schema (2020-12) of `svc.yaml`. */
export const projectFileSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'svc.yaml',
  description: 'The configuration of svc for a repository. Paths are relative to the file.',
  ...(JSON.parse(JSON.stringify(ProjectFileShape)) as object),
})
