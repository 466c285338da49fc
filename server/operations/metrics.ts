import type { Counter, Histogram } from 'prom-client'

/** What happened to one request, as the metrics count it. */
export interface RequestFacts {
  readonly method: string
  /** The path template; null where nothing matched. */
  readonly route: string | null
  readonly status: number
  readonly seconds: number
}

export interface Metrics {
  /** Media type of the Prometheus text format. */
  readonly contentType: string
  /** Counts a request as running; the function it returns ends that. */
  requestStarted(): () => void
  requestEnded(facts: RequestFacts): void
  jobEnded(facts: { readonly kind: string; readonly outcome: string; readonly seconds: number }): void
  /** Counts a time without any answer of the process, under the operation that most likely made it. */
  stalled(facts: { readonly operation: string; readonly seconds: number }): void
  /** How late the event loop was when it was looked at. */
  loopLooked(lateSeconds: number): void
  /** A statement ended, `seconds` after it was asked for. */
  statementEnded(seconds: number): void
  /** Adds a gauge that is read whenever the metrics are: rows waiting, connections open. One value per label value. */
  gauge(name: string, help: string, label: string | null, read: () => Promise<ReadonlyMap<string, number>>): void
  /** The exposition in the Prometheus text format, version 0.0.4. */
  text(): Promise<string>
}

/** The count and the durations of one kind of request. */
interface Series {
  readonly count: { inc(): void }
  readonly times: { observe(seconds: number): void }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const requestBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const lagBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 5]
const jobBuckets = [0.05, 0.1, 0.5, 1, 5, 15, 60, 300]

/**
 * Counts requests that ended. Finding a series by its labels costs more than counting in it; and many counted together
 * cost less than one by one, since the code and the tables of it are then available. `flush` counts what still waits: call it
 * before the metrics are read.
 */
function countEnded(requests: Counter, durations: Histogram) {
  const byRoute = new Map<string | null, Map<string | number, Series>>()
  const waiting: Series[] = []
  const times: number[] = []
  const seriesOf = ({ method, route, status }: RequestFacts): Series => {
    let ofRoute = byRoute.get(route)
    if (!ofRoute) byRoute.set(route, (ofRoute = new Map()))
    // GET, the most frequent by far, needs no text to be put together.
    const key = method === 'GET' ? status : `${method} ${status}`
    const known = ofRoute.get(key)
    if (known) return known
    const label = methods.has(method) ? method : 'other'
    const named = route ?? 'unmatched'
    const made = { count: requests.labels(label, named, String(status)), times: durations.labels(label, named) }
    // The key has the method as it was sent, which any caller can make up.
    if (label === method) ofRoute.set(key, made)
    return made
  }
  const flush = (): void => {
    for (const [index, series] of waiting.entries()) {
      series.count.inc()
      series.times.observe(times[index] ?? 0)
    }
    waiting.length = 0
    times.length = 0
  }
  const count = (facts: RequestFacts): void => {
    waiting.push(seriesOf(facts))
    times.push(facts.seconds)
    if (waiting.length >= 256) flush()
  }
  return { count, flush }
}

/**
 * The metrics of one process. Labels take their values from closed sets alone (route templates, methods, statuses), so
 * that no caller can grow them. The library is loaded here, on first use, and not with the program.
 */
export async function createMetrics(version: string): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = (await import('prom-client')).default
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'HTTP requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  })
  const running = new Gauge({ name: 'svc_http_requests_in_flight', help: 'HTTP requests being answered.', registers })
  const jobs = new Counter({
    name: 'svc_jobs_total',
    help: 'Background jobs that ended.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const jobDurations = new Histogram({
    name: 'svc_job_duration_seconds',
    help: 'Running time of background jobs.',
    labelNames: ['kind'],
    buckets: jobBuckets,
    registers,
  })
  const statements = new Histogram({
    name: 'svc_database_statement_duration_seconds',
    help: 'Time from asking for a statement of the database to its result, waiting for a connection included.',
    buckets: requestBuckets,
    registers,
  })
  const loop = addLoop({ Counter, Histogram }, registers)
  new Gauge({
    name: 'svc_build_info',
    help: 'The version that runs; always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  addProcess({ Counter, Gauge }, registers)
  const ended = countEnded(requests, durations)
  return {
    contentType: registry.contentType,
    requestStarted() {
      running.inc()
      return () => running.dec()
    },
    requestEnded: ended.count,
    jobEnded({ kind, outcome, seconds }) {
      jobs.inc({ kind, outcome })
      jobDurations.observe({ kind }, seconds)
    },
    ...loop,
    statementEnded: (seconds) => statements.observe(seconds),
    gauge(name, help, label, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: label === null ? [] : [label],
        registers: [],
        async collect() {
          this.reset()
          // Without a label it would be 0 where nothing is known.
          if (label === null) this.remove()
          for (const [value, count] of await read())
            if (label === null) this.set(count)
            else this.set({ [label]: value }, count)
        },
      })
      registry.registerMetric(gauge)
    },
    text() {
      ended.flush()
      return registry.metrics()
    },
  }
}

/** What the watchdog counts: times without any answer, and how late the loop was. */
function addLoop(
  { Counter, Histogram }: Pick<typeof import('prom-client'), 'Counter' | 'Histogram'>,
  registers: import('prom-client').Registry[],
): Pick<Metrics, 'stalled' | 'loopLooked'> {
  const stalls = new Counter({
    name: 'svc_event_loop_stalls_total',
    help: 'Times of more than 200 ms without any answer of the process, by the operation that most likely made it.',
    labelNames: ['operation'],
    registers,
  })
  const stalledSeconds = new Counter({
    name: 'svc_event_loop_stalled_seconds_total',
    help: 'Seconds of these times.',
    registers,
  })
  const late = new Histogram({
    name: 'svc_event_loop_lag_seconds',
    help: 'How late the event loop was, looked at 40 times a second.',
    buckets: lagBuckets,
    registers,
  })
  return {
    stalled({ operation, seconds }) {
      stalls.inc({ operation })
      stalledSeconds.inc(seconds)
    },
    loopLooked: (lateSeconds) => late.observe(lateSeconds),
  }
}

function addProcess(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registers: import('prom-client').Registry[],
): void {
  const started = Date.now() / 1000 - process.uptime()
  const read = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  read('process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss())
  read('svc_heap_size_bytes', 'Memory that the JavaScript heap has taken in bytes.', () => {
    return process.memoryUsage().heapTotal
  })
  read(
    'svc_external_memory_bytes',
    'Memory outside the heap that objects of JavaScript own in bytes: buffers, texts, statements.',
    () => process.memoryUsage().external,
  )
  read('process_start_time_seconds', 'Start time of the process since the Unix epoch in seconds.', () => started)
  const spent = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent in seconds.',
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  for (const registry of registers) registry.registerMetric(spent)
}
