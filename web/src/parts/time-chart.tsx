import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { useTheme } from '../theme.ts'

export type ChartTone = 'ok' | 'warn' | 'danger' | 'info' | 'soft' | 'accent'

/** A value at an instant, drawn as a dot on the line. */
export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly value: number
  readonly tone: ChartTone
}

/** A line across the chart at an instant. */
export interface ChartMark {
  readonly at: number
  readonly name: string
  readonly tone: ChartTone
}

const height = 180
const axisHeight = 42
const dot = 4.5

/** The colours of the page as they are now, for a canvas, which cannot read variables. */
const readColours = (element: HTMLElement) => {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (name: string): string => {
    probe.className = `text-${name}`
    return getComputedStyle(probe).color
  }
  const colours = {
    ok: read('ok'),
    warn: read('warn'),
    danger: read('danger'),
    info: read('info'),
    soft: read('soft'),
    accent: read('accent'),
  }
  probe.className = 'border-t'
  const line = getComputedStyle(probe).borderTopColor
  probe.remove()
  return { ...colours, line }
}

type Colours = ReturnType<typeof readColours>

const drawMarks = (plot: UPlot, marks: readonly ChartMark[], colours: Colours): void => {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio
  ctx.save()
  ctx.font = `${11 * scale}px ${getComputedStyle(document.body).fontFamily}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.setLineDash([4 * scale, 4 * scale])
  ctx.lineWidth = scale
  for (const [index, { at, name, tone }] of marks.entries()) {
    const x = plot.valToPos(at / 1000, 'x', true)
    ctx.strokeStyle = colours[tone]
    ctx.fillStyle = colours[tone]
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const width = ctx.measureText(name).width
    // A name that does not fit on the right is written on the left; neighbours are one below the other.
    const left = x + width + 8 * scale > bbox.left + bbox.width ? x - width - 4 * scale : x + 4 * scale
    ctx.fillText(name, left, bbox.top + (12 + 14 * (index % 3)) * scale)
  }
  ctx.restore()
}

const drawPoints = (plot: UPlot, points: readonly ChartPoint[], colours: Colours): void => {
  const { ctx } = plot
  ctx.save()
  for (const { at, value, tone } of points) {
    ctx.fillStyle = colours[tone]
    ctx.beginPath()
    ctx.arc(
      plot.valToPos(at / 1000, 'x', true),
      plot.valToPos(value, 'y', true),
      dot * devicePixelRatio,
      0,
      2 * Math.PI,
    )
    ctx.fill()
  }
  ctx.restore()
}

const optionsOf = (
  width: number,
  colours: Colours,
  points: readonly ChartPoint[],
  marks: readonly ChartMark[],
): UPlot.Options => {
  const instants = [...points, ...marks].map(({ at }) => at / 1000)
  const [first, last] = [Math.min(...instants), Math.max(...instants)]
  const margin = Math.max(3600, (last - first) * 0.03)
  const axis = { stroke: colours.soft, grid: { stroke: colours.line, width: 1 }, ticks: { show: false } }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true, range: [first - margin, last + margin] }, y: { range: [0, 105] } },
    axes: [
      { ...axis, size: axisHeight },
      { ...axis, size: 34, splits: () => [0, 25, 50, 75, 100] },
    ],
    series: [{}, { stroke: colours.accent, width: 1.5, points: { show: false } }],
    hooks: {
      draw: [
        (plot) => {
          drawMarks(plot, marks, colours)
          drawPoints(plot, points, colours)
        },
      ],
    },
  }
}

/** Values between 0 and 100 over time. It is a picture: `label` says in words what it shows. */
export const TimeChart = ({
  points,
  marks,
  label,
}: {
  /** In the order of time. */
  points: readonly ChartPoint[]
  marks: readonly ChartMark[]
  label: string
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    let plot: UPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      const options = optionsOf(element.clientWidth, readColours(element), points, marks)
      plot = new UPlot(options, [points.map(({ at }) => at / 1000), points.map(({ value }) => value)], element)
    }
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }))
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    draw()
    sizes.observe(element)
    scheme.addEventListener('change', draw)
    return () => {
      sizes.disconnect()
      scheme.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [points, marks, theme])
  return <div ref={frame} role="img" aria-label={label} className="min-w-0 overflow-hidden" style={{ height }} />
}
