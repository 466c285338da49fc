import type { Json } from '../kernel/json.ts'
import alphabetical, { options as alphabeticalOptions } from './functions/alphabetical.ts'
import casing, { options as casingOptions } from './functions/casing.ts'
import defined from './functions/defined.ts'
import enumeration, { options as enumerationOptions } from './functions/enumeration.ts'
import falsy from './functions/falsy.ts'
import length, { options as lengthOptions } from './functions/length.ts'
import or, { options as orOptions } from './functions/or.ts'
import pattern, { options as patternOptions } from './functions/pattern.ts'
import schema, { options as schemaOptions } from './functions/schema.ts'
import truthy from './functions/truthy.ts'
import typedEnum from './functions/typedEnum.ts'
import absent from './functions/undefined.ts'
import unreferencedReusableObject, {
  options as unreferencedReusableObjectOptions,
} from './functions/unreferencedReusableObject.ts'
import xor, { options as xorOptions } from './functions/xor.ts'
import type { LintFunction } from './rule.ts'

/** A function that a ruleset may name, and the JSON Schema of its options; null where it takes none. */
export interface CoreFunction {
  readonly run: LintFunction
  readonly options: Json
}

/** The functions that rulesets in YAML and JSON may name. */
export const coreFunctions: Readonly<Record<string, CoreFunction>> = {
  alphabetical: { run: alphabetical, options: alphabeticalOptions },
  casing: { run: casing, options: casingOptions },
  defined: { run: defined, options: null },
  enumeration: { run: enumeration, options: enumerationOptions },
  falsy: { run: falsy, options: null },
  length: { run: length, options: lengthOptions },
  or: { run: or, options: orOptions },
  pattern: { run: pattern, options: patternOptions },
  schema: { run: schema, options: schemaOptions },
  truthy: { run: truthy, options: null },
  typedEnum: { run: typedEnum, options: null },
  undefined: { run: absent, options: null },
  unreferencedReusableObject: { run: unreferencedReusableObject, options: unreferencedReusableObjectOptions },
  xor: { run: xor, options: xorOptions },
}
