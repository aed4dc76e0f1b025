// Lets the Java solver of DavidNHill/Minesweeper play our boards: our line protocol on one side,
// its classes `GameStateModel` and `Solver` on the other. None of its code is here; its classes
// must be on the class path. docs/play/peers.md tells how to use it.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import minesweeper.gamestate.GameStateModel;
import minesweeper.settings.GameSettings;
import minesweeper.solver.Solver;
import minesweeper.solver.settings.PlayStyle;
import minesweeper.solver.settings.SettingsFactory;
import minesweeper.solver.settings.SolverSettings;
import minesweeper.structure.Action;
import minesweeper.structure.Location;

public final class HillPlayer {

  /** A board that is shown from outside. It never learns where mines are, and decides nothing. */
  private static final class Shown extends GameStateModel {
    private final int[][] numbers;

    Shown(int width, int height, int mines) {
      super(GameSettings.create(width, height, mines));
      numbers = new int[width][height];
    }

    void show(List<String> rows) {
      if (getGameState() == NOT_STARTED) start(new Location(0, 0));
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
          char label = rows.get(y).charAt(x);
          if (label < '0' || label > '8') continue;
          numbers[x][y] = label - '0';
          setRevealed(x, y);
        }
    }

    @Override protected void startHandle(Location place) {}
    @Override protected void placeFlagHandle(Location place) {}
    @Override protected boolean clearSquareHitMine(Location place) { return false; }
    @Override protected boolean clearSurroundHandle(Location place) { return false; }
    @Override protected int queryHandle(int x, int y) { return numbers[x][y]; }
  }

  private static final Pattern LABELS = Pattern.compile("\"labels\"\\s*:\\s*\\[([^\\]]*)\\]");
  private static final Pattern ROW = Pattern.compile("\"([^\"]*)\"");

  private static int number(String line, String key) {
    Matcher found = Pattern.compile("\"" + key + "\"\\s*:\\s*(\\d+)").matcher(line);
    if (!found.find()) throw new IllegalArgumentException("no " + key + " in " + line);
    return Integer.parseInt(found.group(1));
  }

  public static void main(String[] arguments) throws Exception {
    // Whatever the solver prints must not get between the lines of the protocol.
    PrintStream out = System.out;
    System.setOut(System.err);
    String strength = arguments.length > 0 ? arguments[0] : "SMALL_ANALYSIS";
    SettingsFactory.Setting setting = SettingsFactory.Setting.valueOf(strength);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    Shown board = null;
    Solver solver = null;
    for (String line; (line = in.readLine()) != null; ) {
      if (line.contains("\"hello\"")) {
        out.println("{\"type\": \"hello\", \"name\": \"DavidNHill (Java)\", \"version\": \""
            + strength.toLowerCase() + " " + Solver.VERSION + "\"}");
      } else if (line.contains("\"game\"")) {
        if (!line.contains("\"grid\"")) throw new IllegalArgumentException("only grids: " + line);
        board = new Shown(number(line, "width"), number(line, "height"), number(line, "mines"));
        SolverSettings settings = SettingsFactory.GetSettings(setting);
        settings.setSingleThread(true);
        solver = new Solver(board, settings, false);
        solver.setPlayStyle(PlayStyle.NO_FLAG);
      } else if (line.contains("\"position\"")) {
        out.println(answer(board, solver, line));
      }
      out.flush();
    }
  }

  private static String answer(Shown board, Solver solver, String line) throws Exception {
    Matcher labels = LABELS.matcher(line);
    if (!labels.find()) throw new IllegalArgumentException("no labels in " + line);
    List<String> rows = new ArrayList<>();
    for (Matcher row = ROW.matcher(labels.group(1)); row.find(); ) rows.add(row.group(1));
    if (rows.stream().anyMatch(row -> !row.matches("\\?*"))) board.show(rows);
    solver.start();
    List<String> cells = new ArrayList<>();
    for (Action move : solver.getResult())
      if (move.getAction() == Action.CLEAR) cells.add("[" + move.y + ", " + move.x + "]");
    return "{\"type\": \"dig\", \"cells\": [" + String.join(", ", cells) + "]}";
  }
}
