import type { Json } from '../../kernel/json.ts'

/** Which properties one object is excused from having, by the schemas that are being checked against it. */
export interface Excuse {
  readonly value: Json
  has(name: string): boolean
}
