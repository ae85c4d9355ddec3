// Preload of a server whose clock is wrong by SOAK_CLOCK_SHIFT_MS milliseconds.
const shift = Number(process.env.SOAK_CLOCK_SHIFT_MS);
const SystemDate = Date;
const now = () => SystemDate.now() + shift;
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
