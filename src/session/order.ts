/**
 * Calls start in the order they came. A change waits for earlier calls on its targets and holds back later ones; reads
 * pass each other. Targets are compared by their names, paths also by what they lead to, and anything else by its canonical
 * subject. That decides only order, never what may be reached.
 *
 * A call takes its place at the door and says later what it touches. Until then later calls cannot know whether they
 * have to wait for it, so they do: whatever is awaited in between changes nothing about the order.
 */
import type { Target } from "../policy/index.ts";
import { TouchedNames, type RealNames } from "./real-names.ts";

/** One place in the order. */
export interface PlaceInOrder {
  /** Says what the call touches. A call that stood aside takes a new place, behind all others. */
  enter(targets: readonly Target[] | "all", exclusive: boolean): void;
  /** What an entered call has to wait for; `undefined`: it may start at once. */
  readonly ready: Promise<unknown> | undefined;
  /** Lets later calls pass, as long as this one has not entered: nobody waits while a person or a hook thinks. */
  stepAside(): void;
  /** The call is over; whoever waits for it may start. */
  leave(): void;
}

export interface Order {
  /** Called in the order of arrival. */
  arrive(): PlaceInOrder;
}

interface Place {
  /** `undefined`: not said so far. */
  touched: TouchedNames | undefined;
  exclusive: boolean;
  readonly entered: Signal;
  readonly left: Signal;
}

/** Given once, and waited for by few: the promise is made for the first who does. */
class Signal {
  #isGiven = false;
  #waiting: PromiseWithResolvers<void> | undefined;

  get promise(): Promise<void> {
    if (this.#isGiven) return Promise.resolve();
    return (this.#waiting ??= Promise.withResolvers<void>()).promise;
  }

  give(): void {
    this.#isGiven = true;
    this.#waiting?.resolve();
  }
}

/** @param names of paths. The disk is asked for them only where a change meets another call. */
export function createOrder(names: RealNames): Order {
  /** Both in the order of arrival. */
  const places = new Set<Place>();
  const unknown = new Set<Place>();
  let exclusives = 0;

  function arrive(): Place {
    const place: Place = { touched: undefined, exclusive: false, entered: new Signal(), left: new Signal() };
    places.add(place);
    unknown.add(place);
    return place;
  }

  function leave(place: Place): void {
    if (!places.delete(place)) return;
    if (place.exclusive) exclusives--;
    unknown.delete(place);
    place.entered.give();
    place.left.give();
  }

  function waitFor(place: Place): Promise<unknown> | undefined {
    const [oldest] = unknown;
    if (oldest === undefined && exclusives === 0) return undefined;
    const earlier = before(places, place);
    const unclear = earlier.filter((one) => one.touched === undefined);
    if (unclear.length > 0)
      return Promise.all(unclear.map(({ entered }) => entered.promise)).then(
        async () => await Promise.all(blockers(earlier, place)),
      );
    const found = blockers(earlier, place);
    return found.length === 0 ? undefined : Promise.all(found);
  }

  return {
    arrive() {
      let place = arrive();
      let ready: Promise<unknown> | undefined;
      return {
        get ready() {
          return ready;
        },
        enter(targets, exclusive) {
          if (!places.has(place)) place = arrive();
          place.touched = new TouchedNames(targets, names);
          place.exclusive = exclusive;
          if (exclusive) exclusives++;
          unknown.delete(place);
          place.entered.give();
          ready = waitFor(place);
        },
        stepAside() {
          if (place.touched === undefined) leave(place);
        },
        leave: () => leave(place),
      };
    },
  };
}

function before(places: ReadonlySet<Place>, place: Place): Place[] {
  const found: Place[] = [];
  for (const one of places) {
    if (one === place) break;
    found.push(one);
  }
  return found;
}

function blockers(earlier: readonly Place[], { touched, exclusive }: Place): Promise<void>[] {
  return earlier
    .filter((one) => (exclusive || one.exclusive) && touched && one.touched?.meet(touched))
    .map(({ left }) => left.promise);
}
