import { typeBit } from '../../schema/node.ts'
import type { Node, NodeFactory } from '../../schema/node.ts'

/** What numbers look like as text, by what is known of them. */
const numberPattern = (integral: boolean, positive: boolean): string =>
  `^${positive ? '' : '-?'}[0-9]+${integral ? '' : '(\\.[0-9]+)?([eE][+-]?[0-9]+)?'}$`

/** Whole numbers of at most so many digits, as they are written. */
const digitsPattern = (digits: number, positive: boolean): string =>
  `^${positive ? '' : '-?'}(?:0|[1-9][0-9]{0,${digits - 1}})$`

/** Numbers of more digits than these are not distinguished by their length. */
const mostDigits = 15

/** The most digits for which `holds`, where fewer hold as well; 0 where even one does not. */
const longest = (holds: (digits: number) => boolean): number => {
  let [low, high] = [0, mostDigits]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Which numbers a reader of texts understands, and which texts a reader of numbers does. */
export class NumbersAsTexts {
  private readonly factory: NodeFactory
  private readonly holds: (outer: Node, inner: Node) => boolean

  constructor(factory: NodeFactory, holds: (outer: Node, inner: Node) => boolean) {
    this.factory = factory
    this.holds = holds
  }

  /** The numbers of a sender whose texts the reader accepts. */
  sent(reader: Node, sender: Node, allTexts: boolean): readonly Node[] {
    const { factory } = this
    const numbers = factory.types(typeBit.number)
    if (allTexts) return [numbers]
    const sent = factory.all([sender, numbers])
    const isIntegral = this.holds(factory.multiple(1), sent)
    const isPositive = this.holds(factory.bound('min', 0, false), sent)
    if (this.holds(reader, this.texts(numberPattern(isIntegral, isPositive)))) {
      return [
        factory.all([
          numbers,
          ...(isIntegral ? [factory.multiple(1)] : []),
          ...(isPositive ? [factory.bound('min', 0, false)] : []),
        ]),
      ]
    }
    return [true, false].flatMap((positive) => {
      const digits = longest((it) => this.holds(reader, this.texts(digitsPattern(it, positive))))
      return digits === 0 ? [] : [this.wholeBelow(digits, positive)]
    })
  }

  /** The texts that are numbers of the reader. */
  read(reader: Node): readonly Node[] {
    const { factory } = this
    const numbers = factory.types(typeBit.number)
    const whole = factory.all([numbers, factory.multiple(1)])
    if (this.holds(reader, numbers)) return [this.texts(numberPattern(false, false))]
    if (this.holds(reader, whole)) return [this.texts(numberPattern(true, false))]
    if (this.holds(reader, factory.all([whole, factory.bound('min', 0, false)])))
      return [this.texts(numberPattern(true, true))]
    const digits = longest((it) => this.holds(reader, this.wholeBelow(it, true)))
    return digits === 0 ? [] : [this.texts(`^[0-9]{1,${digits}}$`)]
  }

  private texts(pattern: string): Node {
    return this.factory.all([this.factory.types(typeBit.string), this.factory.pattern(pattern)])
  }

  /** Whole numbers of so many digits. */
  private wholeBelow(digits: number, positive: boolean): Node {
    const { factory } = this
    const most = 10 ** digits - 1
    return factory.all([
      factory.types(typeBit.number),
      factory.multiple(1),
      factory.bound('min', positive ? 0 : -most, false),
      factory.bound('max', most, false),
    ])
  }
}
